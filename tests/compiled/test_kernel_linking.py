"""Linkers that make the library of kernels, on machines of every kind, and what the build asks for where there is none."""

import importlib.util
import platform
import shutil
import subprocess
import sys
import sysconfig
import types
from pathlib import Path

import pytest

from sheetmbs.compiled import linker
from sheetmbs.compiled.files import LIBRARY

ROOT = Path(__file__).parents[2]


@pytest.fixture
def tools(monkeypatch):
    """The programs that a machine has, as a set that tests fill."""
    there = set()
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}" if name in there else None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: types.SimpleNamespace() if name in there else None)
    return there


@pytest.fixture
def hook(monkeypatch):
    """The hook of the build, with the part of hatchling that it needs."""
    base = types.ModuleType("hatchling.builders.hooks.plugin.interface")
    base.BuildHookInterface = type("BuildHookInterface", (), {"root": str(ROOT)})
    monkeypatch.setitem(sys.modules, base.__name__, base)
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("platform", "there", "begins", "makes"),
    [
        ("linux", {"cc", "ld"}, ["/usr/bin/cc"], "-shared"),
        ("linux", {"ld"}, ["/usr/bin/ld"], "-shared"),
        ("linux", {"ziglang"}, [sys.executable, "-m", "ziglang", "ld.lld"], "-shared"),
        ("darwin", {"clang"}, ["/usr/bin/clang"], "-dynamiclib"),
        ("darwin", {"ziglang"}, [sys.executable, "-m", "ziglang", "cc"], "-dynamiclib"),
        ("win32", {"ziglang"}, [sys.executable, "-m", "ziglang", "cc"], "-shared"),
    ],
)
def test_each_system_has_its_own_way_to_make_a_shared_library(tools, platform, there, begins, makes):
    tools |= there
    first = linker.linkers(platform)[0]
    assert first[: len(begins)] == begins
    assert makes in first


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
def test_a_machine_without_a_linker_has_none(tools, platform):
    tools.clear()
    assert linker.linkers(platform) == []


def test_the_build_asks_for_a_linker_only_where_it_finds_none(tools, hook):
    builder = hook.KernelsHook()
    assert builder.dependencies() == [linker.ZIGLANG]
    tools.add("cc")
    assert builder.dependencies() == []


def pretend(monkeypatch, system, machine, libc="glibc"):
    """Let Python tell of another machine, as far as the hook asks."""
    names = {"macosx": "darwin", "win": "win32"}
    monkeypatch.setattr(sys, "platform", names.get(system.split("-")[0], "linux"))
    monkeypatch.setattr(sysconfig, "get_platform", lambda: system)
    monkeypatch.setattr(platform, "machine", lambda: machine)
    monkeypatch.setattr(platform, "libc_ver", lambda: (libc, "2.36" if libc else ""))


@pytest.mark.parametrize(
    ("system", "machine", "libc", "tag"),
    [
        ("linux-x86_64", "x86_64", "glibc", "manylinux_2_5_x86_64"),
        ("linux-aarch64", "aarch64", "glibc", "manylinux_2_17_aarch64"),
        ("linux-x86_64", "x86_64", "", "linux_x86_64"),  # musl
        ("linux-s390x", "s390x", "glibc", "linux_s390x"),
        ("linux-i686", "x86_64", "glibc", "linux_i686"),  # a Python of 32 bits
        ("macosx-11.0-arm64", "arm64", "", "macosx_11_0_arm64"),
        ("macosx-10.13-x86_64", "x86_64", "", "macosx_10_13_x86_64"),
        ("macosx-10.13-universal2", "x86_64", "", "macosx_10_13_x86_64"),  # kernels are for one processor
        ("macosx-10.13-universal2", "arm64", "", "macosx_11_0_arm64"),
        ("win-amd64", "AMD64", "", "win_amd64"),
    ],
)
def test_a_wheel_is_named_after_its_system(hook, monkeypatch, system, machine, libc, tag):
    pretend(monkeypatch, system, machine, libc)
    assert hook.platform_tag() == tag


@pytest.mark.parametrize(
    ("system", "machine", "settings"),
    [
        ("macosx-10.13-universal2", "x86_64", {"MACOSX_DEPLOYMENT_TARGET": "10.13"}),
        ("macosx-10.13-universal2", "arm64", {"MACOSX_DEPLOYMENT_TARGET": "11.0"}),
        ("linux-x86_64", "x86_64", {}),
        ("win-amd64", "AMD64", {}),
    ],
)
def test_the_linker_makes_a_library_as_old_as_its_tag(hook, monkeypatch, system, machine, settings):
    pretend(monkeypatch, system, machine)
    assert hook.linker_settings() == settings


class Ended(Exception):  # noqa: N818 - it is no error
    """What hatchling's `abort` does: it prints a sentence and ends."""


@pytest.mark.parametrize("version", ["standard", "editable"])
def test_a_build_that_finds_no_linker_says_so_in_one_sentence(hook, monkeypatch, tmp_path, version):
    """An editable installation compiles when it is first used, so that it warns and goes on."""

    def abort(text):
        raise Ended(text)

    builder, warnings = hook.KernelsHook(), []
    builder.root = str(tmp_path)
    builder.app = types.SimpleNamespace(abort=abort, display_info=print, display_warning=warnings.append)
    failed = subprocess.CompletedProcess([], 1, "", f"The kernels are not built: {linker.NO_LINKER}\n")
    monkeypatch.setattr(hook.subprocess, "run", lambda *_command, **_settings: failed)
    if version == "standard":
        with pytest.raises(Ended) as stopped:
            builder.initialize(version, {})
        said = str(stopped.value)
    else:
        builder.initialize(version, {})
        (said,) = warnings
    assert said.endswith(linker.NO_LINKER)
    assert said.count("\n") == 0
    assert linker.NO_LINKER.count(". ") == 0


def test_the_build_of_kernels_ends_with_that_sentence(tools):
    tools.clear()
    with pytest.raises(linker.LinkError) as error:
        linker.link([b""], {})
    assert str(error.value) == linker.NO_LINKER


def test_linkers_are_known_without_any_package():
    path = str(ROOT / "sheetmbs" / "compiled" / "linker.py")
    script = f"import runpy, sys; runpy.run_path({path!r}); print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


@pytest.mark.skipif(sys.platform != "linux" or shutil.which("nm") is None, reason="glibc's versions, as nm shows them")
@pytest.mark.skipif(not LIBRARY.with_suffix(linker.SUFFIX).exists(), reason="this checkout was not installed")
def test_the_library_asks_for_no_version_of_glibc():
    library = LIBRARY.with_suffix(linker.SUFFIX)
    done = subprocess.run(["nm", "-D", "--undefined-only", library], capture_output=True, text=True, check=True)
    assert "sin" in done.stdout.split()
    assert "@" not in done.stdout


def test_a_linker_that_fails_is_quoted_and_the_next_one_is_tried(tmp_path, monkeypatch):
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho it is broken >&2\nexit 3\n", encoding="utf-8")
    broken.chmod(0o755)
    monkeypatch.setattr(linker, "linkers", lambda: [[str(broken)], [str(tmp_path / "missing")]])
    with pytest.raises(linker.LinkError, match=r"(?s)status 3: it is broken.*missing"):
        linker.link([b""], {})
