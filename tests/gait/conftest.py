"""Runs of gait in these tests leave out what takes longest and what they are not about."""

import pytest

ABOUT_UNCERTAINTY = (
    "test_gait_uncertainty",
    "test_gait_monte_carlo",
    "test_gait_dynamic_consistency",
    "test_gait_readings",
    "test_gait_residual_reduction",
)


@pytest.fixture(autouse=True, scope="module")
def without_uncertainty(request):
    """Let runs find no uncertainty, which takes longer than all else, but where a module is about it."""
    with pytest.MonkeyPatch.context() as patch:
        if request.module.__name__.rpartition(".")[2] not in ABOUT_UNCERTAINTY:
            patch.setattr("sheetmbs.gait.gait_results.believed_courses", lambda *_given: None)
        yield
