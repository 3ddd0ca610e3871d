"""The cache of compiled kernels: right after every edit, kept between processes, and never in the way."""

import os
import shutil
import stat
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from sheetmbs import bundle, compiler, jit, keeping, seldom

CALLER = """
from mini import jit
from mini.engine.callee import twice

@jit.kernel
def entry(x):
    return twice(x) + 1.0
"""
CALLEE = """
from mini import jit

@jit.inline_kernel
def twice(x):
    return 2.0 * x
"""
RUN = """
from mini import jit
from mini.analysis.caller import entry
cold = jit.is_cold(), jit.is_cold(entry)
result = entry(3.0)
print(result, *cold, jit.is_cold(entry), jit.compile_seconds() > 0.0, jit.cache_folder())
"""


@pytest.fixture
def package(tmp_path):
    """A small package with our `jit.py` and what goes with it, an entry point and, in another file, the kernel it calls."""
    folder = tmp_path / "code" / "mini"
    for name in ("", "analysis", "engine"):
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").touch()
    for module in (bundle, compiler, jit, keeping, seldom):
        shutil.copy(module.__file__, folder)
    (folder / "analysis" / "caller.py").write_text(CALLER)
    (folder / "engine" / "callee.py").write_text(CALLEE)
    return folder


@pytest.fixture
def python(tmp_path, package):
    """Run a script that imports the small package, in a world of its own; settings of None are unset."""
    home = tmp_path / "home"
    home.mkdir()
    nothing = {name: None for name in os.environ if name.startswith(("NUMBA_", "XDG_"))}

    def run(script=RUN, **settings):
        world = os.environ | nothing | {"HOME": str(home), "PYTHONPATH": str(package.parent)} | settings
        world = {name: str(setting) for name, setting in world.items() if setting is not None}
        command = [sys.executable, "-B", "-c", script]
        done = subprocess.run(command, env=world, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    run.home = home
    return run


@pytest.fixture
def blocked(tmp_path):
    """A path below which nobody, not even root, can make a folder."""
    file = tmp_path / "file"
    file.touch()
    return file / "below"


def test_a_second_process_loads_what_the_first_compiled(python):
    *first, folder = python()
    *second, again = python()
    assert first == ["7.0", "True", "True", "False", "True"]
    assert second == ["7.0", "False", "False", "False", "False"]
    assert folder == again


@pytest.mark.parametrize("lost", ["*.nbi", "*.nbc", "*.nb?"], ids=["its index", "its code", "both"])
def test_when_kept_code_of_a_kernel_is_lost_its_callers_are_compiled_anew(python, package, lost):
    calls = "from mini.jit import kernel\n\n@kernel\ndef squared(x):\n    return x * x\n"
    (package / "engine" / "callee.py").write_text(CALLEE + calls)
    through = CALLER.replace("import twice", "import squared, twice").replace("twice(x)", "twice(squared(x))")
    assert through != CALLER
    (package / "analysis" / "caller.py").write_text(through)
    *first, folder = python()
    gone = [path.unlink() for path in Path(folder).rglob(f"callee.squared{lost}")]
    *second, _ = python()
    *third, _ = python()
    assert gone
    assert first[0] == second[0] == third[0] == "19.0"
    assert [run[-1] for run in (first, second, third)] == ["True", "True", "False"]


SELDOM = """
from mini.seldom import seldom_kernel

@seldom_kernel
def double(x):
    for k in range(x.shape[0]):
        x[k] *= 2.0
"""
USES_SELDOM = """
from mini import jit
from mini.engine.callee import double

@jit.kernel
def entry(x):
    if x.shape[0] > 1:
        double(x)
    return x[0]
"""
WITHOUT = "import numpy as np; from mini import jit; from mini.analysis.caller import entry; print(entry(np.ones(1)))"
WITH = """
import numpy as np
from mini import jit
from mini.analysis.caller import entry
from mini.engine.callee import double
from mini.seldom import prepare
was_kept = not jit.is_cold(entry)
prepare(double, np.ones(1))
print(entry(np.ones(3)), was_kept, jit.compile_seconds() > 0.0)
"""


TELLING = """
from sheetmbs import keeping
told = []
keeping.tell_of_trouble(lambda what, folder, _reason: told.append(f"{what}:{folder}"))
"""
TOLD = "print(*told)"


def flipped(content):
    """The content with one bit in a hundred bytes turned over: any of them may be machine code."""
    return bytes(byte ^ (4 if place % 100 == 50 else 0) for place, byte in enumerate(content))


DAMAGES = {
    "flipped bits": flipped,
    "a flipped bit at the end": lambda content: content[:-1] + bytes([content[-1] ^ 1]),
    "cut off": lambda content: content[: len(content) // 2],
    "empty": lambda _content: b"",
    "not ours": lambda _content: b"GIF89a" * 100,
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("files", ["*.nbi", "*.nbc", "*.nb?"], ids=["its index", "its code", "both"])
def test_damaged_machine_code_is_never_loaded_but_told_and_made_anew(python, damage, files):
    *first, folder = python()
    for path in Path(folder).rglob(files):
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
    second = python(f"{TELLING}{RUN}{TOLD}")
    third = python(f"{TELLING}{RUN}{TOLD}")
    assert first[0] == second[0] == third[0] == "7.0"
    assert [entry.partition(folder)[0] for entry in second[6:]] == ["damaged:"]
    assert third[4:] == ["False", folder]  # nothing compiled, nothing told


def test_a_folder_in_the_place_of_a_file_is_told_and_done_without(python):
    *_, folder = python()
    for path in Path(folder).rglob("*.nbi"):
        path.unlink()
        path.mkdir()
    for _ in range(2):
        found = python(f"{TELLING}{RUN}{TOLD}")
        assert found[0] == "7.0"
        assert {entry.partition(folder)[0] for entry in found[6:]} == {"damaged:", "unwritable:"}


def test_where_the_disk_is_full_a_run_goes_on_without_and_says_so(python):
    full = """
import errno
from sheetmbs.keeping import CheckedFile
def fail(*_):
    raise OSError(errno.ENOSPC, "No space left on device")
CheckedFile._open_for_write = fail
"""
    for _ in range(2):
        *found, told = python(f"{TELLING}{full}{RUN}{TOLD}")
        assert found[0] == "7.0"
        assert told.startswith(f"unwritable:{found[5]}")


def test_seldom_kernel_is_compiled_for_those_who_prepare_it_while_its_callers_stay_as_they_are(python, package):
    (package / "engine" / "callee.py").write_text(SELDOM)
    (package / "analysis" / "caller.py").write_text(USES_SELDOM)
    source = package / "seldom.py"
    source.write_text(source.read_text().replace("from sheetmbs.jit", "from mini.jit"))
    assert python(WITHOUT) == ["1.0"]
    assert list(python.home.rglob("caller.entry*.nbc"))
    assert not list(python.home.rglob("callee.double*"))
    assert python(WITH) == ["2.0", "True", "True"]
    assert len(list(python.home.rglob("caller.entry*.nbc"))) == 1
    assert python(WITH) == ["2.0", "True", "False"]
    assert python(WITH, NUMBA_DISABLE_JIT=1)[0] == "2.0"


def test_seldom_kernel_is_prepared_for_one_kind_of_arguments():
    @seldom.seldom_kernel
    def add(x, y):
        x[0] += y

    values = np.zeros(1)
    seldom.prepare(add, values, 1.0)
    add(values, 2.0)
    assert values[0] == 2.0
    with pytest.raises(TypeError, match="is called with"):
        seldom.prepare(add, np.zeros((1, 1)), 1.0)


def test_when_kept_code_of_a_kernel_serves_other_arguments_than_its_callers_have_they_are_compiled_anew(
    python, package
):
    calls = "from mini.jit import kernel\n\n@kernel\ndef squared(x):\n    return x * x\n"
    (package / "engine" / "callee.py").write_text(CALLEE + calls)
    through = CALLER.replace("import twice", "import squared, twice").replace("twice(x)", "twice(squared(x))")
    (package / "analysis" / "caller.py").write_text(through)
    *_, folder = python()
    gone = [path.unlink() for path in Path(folder).rglob("callee.squared*")]
    whole = python("from mini.engine.callee import squared\nprint(squared(3))")
    assert gone
    assert whole == ["9"]
    assert [python()[0] for _ in range(2)] == ["19.0", "19.0"]


def test_processes_that_compile_a_kernel_at_the_same_time_keep_their_code_in_files_of_their_own(python, package):
    (package / "engine" / "callee.py").write_text(
        "from mini.jit import kernel\n\n@kernel\ndef halved(x):\n    return x / 2\n"
    )
    (package / "analysis" / "caller.py").unlink()
    script = "from mini import jit\nfrom mini.engine.callee import halved\nprint(halved({}), jit.cache_folder())"
    value, folder = python(script.format("3.0"))
    index = next(Path(folder).rglob("callee.halved*.nbi"))
    before = index.read_bytes()
    index.unlink()  # the second began before the first had written what it kept
    assert python(script.format("True"))[0] == "0.5"
    index.write_bytes(before)  # and the first wrote last
    assert python(script.format("3.0"))[0] == value == "1.5"
    assert len(list(Path(folder).rglob("callee.halved*.nbc"))) == 2


def test_an_edit_of_a_kernel_in_another_file_is_noticed(python, package):
    *_, before = python()
    (package / "engine" / "callee.py").write_text(CALLEE.replace("2.0 * x", "5.0 * x"))
    result, *_, compiled, after = python()
    assert result == "16.0"
    assert compiled == "True"
    assert after != before


def test_the_key_changes_with_sources_and_numba_settings_and_with_nothing_else(python, package):
    script = "from mini import jit; print(jit.cache_key())"
    key = python(script)
    (package / "notes.py").write_text("# no kernel here")
    assert python(script, NUMBA_NUM_THREADS="1") == key
    keys = [key, python(script, NUMBA_BOUNDSCHECK="1"), python(script, NUMBA_CPU_NAME="generic")]
    (package / "engine" / "deeper").mkdir()
    (package / "engine" / "deeper" / "new.py").touch()
    keys.append(python(script))
    (package / "engine" / "deeper" / "new.py").rename(package / "engine" / "new.py")
    keys.append(python(script))
    with (package / "jit.py").open("a") as file:
        file.write("# edited\n")
    keys.append(python(script))
    assert len({tuple(k) for k in keys}) == len(keys)


def test_bounds_are_checked_when_asked_for_even_if_unchecked_code_is_kept(python, package):
    (package / "engine" / "callee.py").write_text(
        "from mini import jit\n@jit.inline_kernel\ndef twice(x):\n    return x[int(x[0])]\n"
    )
    call = "import numpy as np\nfrom mini.analysis.caller import entry\n"
    script = call + "try: entry(np.array([100000.0]))\nexcept IndexError: print('caught')"
    python(call + "entry(np.zeros(1))")
    assert python(script, NUMBA_BOUNDSCHECK="1") == ["caught"]


def test_the_cache_stands_where_the_user_says_else_in_the_users_cache_else_in_a_private_temporary_folder(
    python, tmp_path, blocked
):
    given, users, temporary = tmp_path / "given", tmp_path / "users", tmp_path / "temporary"
    temporary.mkdir()

    def folder(**settings):
        return Path(python(**settings)[-1]).parent

    assert folder(NUMBA_CACHE_DIR=given, XDG_CACHE_HOME=users) == given / "sheetmbs"
    if sys.platform == "linux":
        assert folder(XDG_CACHE_HOME=users) == users / "sheetmbs"
        assert folder(XDG_CACHE_HOME="relative") == python.home / ".cache" / "sheetmbs"
        assert folder(NUMBA_CACHE_DIR=blocked, XDG_CACHE_HOME=users) == users / "sheetmbs"
        private = temporary / f"sheetmbs-{os.getuid()}"
        assert folder(XDG_CACHE_HOME=blocked, TMPDIR=temporary) == private
        assert stat.S_IMODE(private.stat().st_mode) == 0o700
        assert folder(HOME=blocked, TMPDIR=temporary) == private


@pytest.mark.skipif(sys.platform == "win32", reason="there the temporary folder is the user's own")
def test_a_temporary_folder_that_others_may_write_is_not_trusted(python, tmp_path, blocked):
    shared = tmp_path / f"sheetmbs-{os.getuid()}"
    shared.mkdir()
    shared.chmod(0o777)
    assert python(HOME=blocked, TMPDIR=tmp_path)[-1] == "None"
    shared.rmdir()
    shared.symlink_to(python.home)
    assert python(HOME=blocked, TMPDIR=tmp_path)[-1] == "None"


def test_where_nothing_can_be_kept_the_kernels_work_all_the_same(python, blocked):
    nowhere = f"import tempfile; tempfile.tempdir = {str(blocked)!r}\n{RUN}"
    expected = ["7.0", "True", "True", "False", "True", "None"]
    settings = {"HOME": blocked, "NUMBA_CACHE_DIR": blocked, "XDG_CACHE_HOME": blocked, "LOCALAPPDATA": blocked}
    assert python(nowhere, **settings) == expected
    assert python(nowhere, **settings) == expected


def test_a_folder_that_becomes_unwritable_is_done_without(python, package):
    script = "\n".join(
        (
            "from mini import jit",
            "from numba.core import caching",
            "caching._CacheLocator.ensure_cache_path = lambda self: (_ for _ in ()).throw(OSError())",
            *RUN.splitlines(),
        )
    )
    assert python(script)[0] == "7.0"
    assert not list(package.rglob("*.nbi"))


def test_without_jit_kernels_are_plain_functions(python):
    script = (
        "import types; from mini import jit; from mini.analysis.caller import entry, twice;"
        "print(*(type(f) is types.FunctionType for f in (entry, twice)), entry(3.0), jit.is_cold(), jit.is_cold(entry))"
    )
    assert python(script, NUMBA_DISABLE_JIT="1") == ["True", "True", "7.0", "False", "False"]
    assert not (python.home / ".cache").exists()


def test_old_code_is_removed_but_not_the_last_few_nor_what_may_be_in_use_nor_what_is_not_ours(python, tmp_path):
    base = tmp_path / "given" / "sheetmbs"
    days = {f"{k:016x}": 30.0 + k for k in range(10)} | {f"{k:016x}": 0.5 for k in range(20, 23)}
    for name, age in (days | {"my-notes": 99.0, "0123": 99.0}).items():
        (base / name).mkdir(parents=True)
        (base / name / "file.nbi").touch()
        os.utime(base / name, (time.time() - age * 86400.0,) * 2)
    ours = python(NUMBA_CACHE_DIR=base.parent)[-1]
    left = {path.name for path in base.iterdir()}
    recent = {f"{k:016x}" for k in range(20, 23)}
    assert left == {Path(ours).name, "my-notes", "0123", f"{0:016x}"} | recent


def test_using_kept_code_keeps_it_young(python):
    folder = Path(python()[-1])
    os.utime(folder, (time.time() - 1e7,) * 2)
    python()
    assert time.time() - folder.stat().st_mtime < 1e6


def test_the_setting_of_numba_itself_is_left_alone(python):
    script = "from mini.analysis.caller import entry; import numba; entry(1.0); print(repr(numba.config.CACHE_DIR))"
    assert python(script) == ["''"]


def test_divisions_by_zero_raise_nothing_in_kernels():
    @jit.inline_kernel
    def ratio(a, b):
        return a / b

    assert ratio(1.0, 0.0) == float("inf")


def test_kernels_release_the_interpreters_lock():
    from sheetmbs.engine.motion.tape import run_tape

    assert run_tape.targetoptions["nogil"] is True


def test_numba_compiles_other_code_as_ever_once_ours_is_compiled(python):
    script = """
import numba
from numba.core import config, types
before = config.OPT, types.Function.get_call_type
import mini.analysis.caller, sheetmbs.engine.vec
mini.analysis.caller.entry(3.0), sheetmbs.engine.vec.cross(1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
@numba.njit
def needs_every_pass(x):
    double = lambda y: 2.0 * y
    return double(x) ** 2 + sum([each for each in range(3)])
print(before == (config.OPT, types.Function.get_call_type), needs_every_pass(1.0))
"""
    assert python(script) == ["True", "7.0"]
