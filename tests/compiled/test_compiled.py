"""The library of kernels: built once for its sources, loaded without numba, right after every edit, never in the way."""

import hashlib
import os
import pickle
import signal
import stat
import sys
import time
from pathlib import Path

import pytest

import sheetmbs
from sheetmbs.compiled.linker import SUFFIX
from tests.compiled.mini_package import CALLEE, RESULT, RUN, MiniPackage

SAID = "compiled once"
LIBRARY = Path("compiled", "kernels.table")
CODE = LIBRARY.with_suffix(SUFFIX)


@pytest.fixture
def mini(tmp_path):
    return MiniPackage(tmp_path)


@pytest.fixture(scope="module")
def once_built(tmp_path_factory):
    package = MiniPackage(tmp_path_factory.mktemp("built"))
    assert package.build() == ""
    return package


@pytest.fixture(scope="module")
def once_run(tmp_path_factory):
    package = MiniPackage(tmp_path_factory.mktemp("run"))
    package.run()
    return package


@pytest.fixture
def built(once_built, tmp_path):
    """A package that was installed."""
    return once_built.copied(tmp_path)


@pytest.fixture
def ran(once_run, tmp_path):
    """A package in whose place no library was built, after its first run."""
    return once_run.copied(tmp_path)


@pytest.fixture
def blocked(tmp_path):
    """A path below which nobody, not even root, can make a folder."""
    file = tmp_path / "file"
    file.touch()
    return file / "below"


def test_a_second_process_loads_what_the_first_built_and_neither_imports_numba(mini):
    (first, said), (second, silent) = mini.run(), mini.run()
    assert first == second == RESULT
    assert SAID in said
    assert said.count("\n") == 1
    assert silent == ""


COMPILE_SECONDS = """
from time import perf_counter
began = perf_counter()
from mini.analysis.caller import entry
from mini.compiled import library
entry(3.0)
print(library.compile_seconds(began), perf_counter() - began, library.compile_seconds(perf_counter()))
"""


def test_seconds_of_compiling_count_where_something_was_compiled(ran):
    ran.write("engine/callee", CALLEE.replace("2.0 * x", "6.0 * x"))
    compiling, whole, afterwards = map(float, ran.run(COMPILE_SECONDS)[0])
    assert 0.5 * whole < compiling < whole
    assert afterwards == 0.0
    assert float(ran.run(COMPILE_SECONDS)[0][0]) == 0.0


def test_the_library_of_the_package_is_used_and_nothing_is_written(mini, tmp_path):
    assert mini.build(XDG_CACHE_HOME=tmp_path / "builder") == ""
    assert mini.run() == (RESULT, "")
    assert not list(mini.home.iterdir())


def test_an_edit_of_a_kernel_in_another_file_is_noticed_and_compiles_what_it_concerns(ran):
    before = ran.units()
    ran.write("analysis/other", (ran.folder / "analysis" / "other.py").read_text().replace("-x", "-5.0 * x"))
    assert ran.run()[0] == ["19.0", "-5.0", "False"]
    between = ran.units()
    assert len(between) == len(before) + 1
    ran.write("engine/callee", CALLEE.replace("2.0 * x", "5.0 * x"))
    assert ran.run()[0] == ["46.0", "-5.0", "False"]
    assert len(ran.units()) == len(between) + 3  # both kernels of the edited file, and their caller


def test_an_edit_of_what_is_no_kernel_builds_nothing(ran):
    ran.write("analysis/notes", "# no kernel here\n")
    assert ran.run() == (RESULT, "")


def test_an_edit_that_is_taken_back_builds_nothing(ran):
    ran.write("engine/callee", CALLEE.replace("2.0 * x", "5.0 * x"))
    ran.run()
    ran.write("engine/callee", CALLEE)
    assert ran.run() == (RESULT, "")


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


@pytest.mark.parametrize("suffix", [LIBRARY.suffix, CODE.suffix])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_library_is_never_loaded_but_named_and_built_again(built, damage, suffix):
    library = (built.folder / LIBRARY).with_suffix(suffix)
    library.write_bytes(DAMAGES[damage](library.read_bytes()))
    found, said = built.run()
    assert found == RESULT
    assert f"{library} is damaged" in said
    (kept,) = built.kept()
    kept = kept if suffix == LIBRARY.suffix else kept.with_suffix(suffix)
    kept.write_bytes(DAMAGES[damage](kept.read_bytes()))
    (built.folder / LIBRARY).unlink()
    for path in built.home.rglob("objects/*"):
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
    found, said = built.run()
    assert found == RESULT
    assert f"{kept} is damaged" in said
    assert built.run() == (RESULT, "")


def test_a_library_for_another_machine_is_not_loaded(built):
    script = f"""
import json, sys
from pathlib import Path
from mini.compiled import files
path = Path({str(built.folder / LIBRARY)!r})
head = files.read_table(path.read_bytes())
path.write_bytes(files.sealed(json.dumps(head | {{"system": "plan9 vax"}}).encode()))
"""
    built.run(script)
    found, said = built.run()
    assert found == RESULT
    assert SAID in said


def test_processes_that_find_no_library_build_it_once(mini):
    processes = [mini.begin("-c", RUN) for _ in range(3)]
    told = [process.communicate(timeout=300) for process in processes]
    assert [out.split() for out, _err in told] == [RESULT] * 3
    assert sum(SAID in err for _out, err in told) == 1
    assert len(mini.kept()) == 1


def test_installations_side_by_side_compile_each_kernel_once(mini, tmp_path):
    telling = (
        "from mini.compiled import build, folders\nwrite = folders.write\n"
        "folders.write = lambda path, content: (print(path.name), write(path, content))\nbuild.main()"
    )
    both, cache = (mini, mini.copied(tmp_path / "other")), tmp_path / "cache"
    processes = [each.begin("-c", telling, XDG_CACHE_HOME=cache) for each in both]
    written = [name for process in processes for name in process.communicate(timeout=300)[0].split()]
    units = [path.name for path in cache.rglob("objects/*")]
    assert units
    assert sorted(written) == sorted([*units, *2 * [LIBRARY.name, CODE.name]])


def test_where_nothing_can_be_kept_kernels_work_all_the_same(mini, blocked):
    nowhere = f"from mini.compiled import folders\nfolders._bases = lambda: ()\n{RUN}"
    for _ in range(2):
        found, said = mini.run(nowhere, HOME=blocked, XDG_CACHE_HOME=blocked, NUMBA_CACHE_DIR=blocked)
        assert found == RESULT
        assert SAID in said


def test_where_the_disk_is_full_a_run_goes_on_without_and_says_so(mini):
    full = f"""
import errno
from mini.compiled import library
def fail(*_):
    raise OSError(errno.ENOSPC, "No space left on device")
library.folders.write = fail
{RUN}"""
    found, said = mini.run(full)
    assert found == RESULT
    assert f"kept in {mini.home}" in said
    assert "No space left on device" in said
    assert not mini.kept()


def test_the_cache_stands_where_the_user_says_else_in_the_users_cache_else_in_a_private_temporary_folder(
    mini, tmp_path, blocked
):
    given, users, temporary = tmp_path / "given", tmp_path / "users", tmp_path / "temporary"
    temporary.mkdir()

    def folder(**settings):
        script = "from mini.compiled.folders import cache_folder; print(cache_folder())"
        return Path(mini.run(script, **settings)[0][0])

    assert folder(NUMBA_CACHE_DIR=given, XDG_CACHE_HOME=users) == given / "sheetmbs"
    if sys.platform == "linux":
        assert folder(XDG_CACHE_HOME=users) == users / "sheetmbs"
        assert folder(XDG_CACHE_HOME="relative") == mini.home / ".cache" / "sheetmbs"
        assert folder(NUMBA_CACHE_DIR=blocked, XDG_CACHE_HOME=users) == users / "sheetmbs"
        private = temporary / f"sheetmbs-{os.getuid()}"
        assert folder(XDG_CACHE_HOME=blocked, TMPDIR=temporary) == private
        assert stat.S_IMODE(private.stat().st_mode) == 0o700
        assert folder(HOME=blocked, TMPDIR=temporary) == private


@pytest.mark.skipif(sys.platform == "win32", reason="there the temporary folder is the user's own")
def test_a_temporary_folder_that_others_may_write_is_not_trusted(mini, tmp_path, blocked):
    script = "from mini.compiled.folders import cache_folder; print(cache_folder())"
    shared = tmp_path / f"sheetmbs-{os.getuid()}"
    shared.mkdir()
    shared.chmod(0o777)
    assert mini.run(script, HOME=blocked, TMPDIR=tmp_path)[0] == ["None"]
    shared.rmdir()
    shared.symlink_to(mini.home)
    assert mini.run(script, HOME=blocked, TMPDIR=tmp_path)[0] == ["None"]


def test_old_libraries_are_removed_but_not_the_last_few_nor_what_may_be_in_use_nor_what_is_not_ours(mini, tmp_path):
    base = tmp_path / "given" / "sheetmbs"
    base.mkdir(parents=True)
    old, recent = ({f"{k:016x}.kernels" for k in numbers} for numbers in (range(10), range(20, 23)))
    days = {name: 30.0 + int(name[:16], 16) for name in old} | dict.fromkeys(recent, 0.5)
    days |= {name.replace(".kernels", SUFFIX): age for name, age in days.items()}
    for name, age in (days | {"my-notes": 99.0}).items():
        (base / name).touch()
        os.utime(base / name, (time.time() - age * 86400.0,) * 2)
    mini.run(f"from pathlib import Path; from mini.compiled import folders; folders.remove_old(Path({str(base)!r}))")
    kept = {*recent, f"{0:016x}.kernels", f"{1:016x}.kernels"}
    assert {path.name for path in base.iterdir()} == {"my-notes"} | kept | {f"{name[:16]}{SUFFIX}" for name in kept}


def test_using_a_kept_library_keeps_it_young(ran):
    (kept,) = ran.kept()
    os.utime(kept, (time.time() - 1e7,) * 2)
    ran.run()
    assert time.time() - kept.stat().st_mtime < 1e6


def test_bounds_are_checked_when_asked_for_even_if_there_is_an_unchecked_library(mini):
    mini.write("engine/callee", CALLEE.replace("2.0 * x", "x[int(x[0])]"))
    mini.write(
        "analysis/caller",
        "import numpy as np\nfrom typing import Annotated, Any\n"
        "from mini.compiled import Array, kernel\nfrom mini.engine.callee import twice\n"
        "@kernel\ndef entry(x: Annotated[Any, Array('f8', 1)]) -> float:\n    return twice(x)\n",
    )
    call = "import numpy as np\nfrom mini.analysis.caller import entry\n"
    script = f"{call}try: entry(np.array([100000.0]))\nexcept IndexError: print('caught')"
    mini.run(f"{call}entry(np.zeros(1))")
    assert mini.run(script, NUMBA_BOUNDSCHECK="1")[0] == ["caught"]


def test_without_jit_kernels_are_plain_functions(mini):
    script = (
        "import types; from mini.analysis.caller import entry, twice;"
        "print(*(type(f) is types.FunctionType for f in (entry, twice)), entry(3.0))"
    )
    assert mini.run(script, NUMBA_DISABLE_JIT="1") == (["True", "True", "19.0"], "")
    assert not list(mini.home.iterdir())


def test_a_kernel_that_does_not_compile_is_named(mini):
    mini.write(
        "analysis/other", "from mini.compiled import kernel\n@kernel\ndef other(x: float) -> float:\n    return x.y\n"
    )
    assert "mini.analysis.other.other does not compile" in mini.build()
    assert not (mini.folder / LIBRARY).exists()


def test_a_kernel_that_returns_something_else_than_declared_is_named(mini):
    mini.write(
        "analysis/other", "from mini.compiled import kernel\n@kernel\ndef other(x: float) -> int:\n    return 2.0 * x\n"
    )
    assert "mini.analysis.other.other is declared to return int, and returns float" in mini.build()


def test_a_kernel_that_does_not_declare_what_it_returns_is_named(mini):
    mini.write(
        "analysis/other", "from mini.compiled import kernel\n@kernel\ndef other(x: float):\n    return 2.0 * x\n"
    )
    assert "mini.analysis.other.other does not declare what it returns, which is float" in mini.build()


@pytest.mark.parametrize("given", ["'3'", "None", "1j", "np.ones(2)", "1.0, 2.0"])
def test_an_entry_point_refuses_arguments_of_other_kinds(ran, given):
    script = f"""
import numpy as np
from mini.analysis.caller import entry
try: entry({given})
except TypeError as error: print(error)"""
    assert "mini.analysis.caller.entry" in " ".join(ran.run(script)[0])


def test_what_python_calls_and_the_library_has_not_is_compiled_and_kept(ran):
    script = """
import sys
from mini.engine.callee import squared, squared_count, twice
print(squared_count(3), twice(4.0), squared(3.0), "numba" in sys.modules)"""
    assert ran.run(script)[0] == ["9", "8.0", "9.0", "True"]
    assert ran.run(script)[0] == ["9", "8.0", "9.0", "False"]


@pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL], ids=["interrupted", "killed"])
def test_a_process_that_ends_takes_those_along_that_compile_for_it(mini, number):
    def others():
        texts = []
        for path in Path("/proc").glob("[0-9]*/environ"):
            try:
                texts.append(str(mini.home).encode() in path.read_bytes())
            except OSError:
                continue
        return sum(texts)

    process = mini.begin("-c", RUN)
    patience = time.monotonic() + 60.0
    while others() < 3 and time.monotonic() < patience:
        time.sleep(0.05)
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode != 0
    patience = time.monotonic() + 30.0
    while others() and time.monotonic() < patience:
        time.sleep(0.1)
    assert others() == 0


def test_kernels_release_the_interpreters_lock(mini):
    mini.write(
        "analysis/caller",
        "from mini.compiled import kernel\n@kernel\ndef entry(n: int) -> float:\n"
        "    x = 1.0\n    for k in range(n):\n        x = 0.5 * (x + 2.0 / x) + 1e-9 * k\n    return x\n",
    )
    script = """
import threading, time
from mini.analysis.caller import entry
entry(1)
worker = threading.Thread(target=entry, args=(300_000_000,))
began = time.perf_counter()
worker.start()
while worker.is_alive() and time.perf_counter() - began < 0.05: time.sleep(0.01)
print(worker.is_alive())
"""
    assert mini.run(script)[0] == ["True"]


def test_numba_compiles_other_code_as_ever_once_ours_is_compiled(ran):
    script = """
import numba
from mini.engine.callee import squared_count
squared_count(3)
@numba.njit
def needs_every_pass(x):
    double = lambda y: 2.0 * y
    return double(x) ** 2 + sum([each for each in range(3)]) + squared_count(x)
print(needs_every_pass.py_func.__name__, numba.njit(lambda x: x + 1)(2))
"""
    assert ran.run(script)[0] == ["needs_every_pass", "3"]


class Hostile:
    """What somebody else has put where a unit of machine code is looked for: reading it as a pickle would make a file."""

    def __init__(self, proof):
        self.proof = proof

    def __reduce__(self):
        return Path.touch, (self.proof,)


def plant(mini, folder, proof):
    """Put a hostile pickle, with the checksum of a file of ours, at the place of every unit of the package and of a library."""
    script = f"""
from pathlib import Path
from mini.compiled import folders, kept_units, files, sources
folders.cache_folder = lambda: Path({str(folder)!r})
for module in sources.kernel_modules():
    for name in ("entry", "other", "twice", "minus", "squared"):
        for takes in (["float"], ["float", "float"]):
            print(kept_units.place_of(module, files.symbol_of(f"{{module}}.{{name}}", takes)))
"""
    content = pickle.dumps(Hostile(proof))
    sealed = b"sheetmbs kernels 1\n" + hashlib.sha256(content).digest() + content
    places = [Path(name) for name in mini.run(script)[0]]
    for place in places:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(sealed)
    (folder / "0123456789abcdef.kernels").write_bytes(sealed)
    return places


@pytest.mark.parametrize("named", ["NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "TMPDIR"])
@pytest.mark.skipif(sys.platform == "win32", reason="there lists of rights say who may write")
def test_a_folder_that_others_may_write_is_neither_read_nor_written_and_named(mini, tmp_path, blocked, named):
    base = tmp_path / "given"
    folder = base / (f"sheetmbs-{os.getuid()}" if named == "TMPDIR" else "sheetmbs")
    folder.mkdir(parents=True)
    proof = tmp_path / "proof"
    places = plant(mini, folder, proof)
    folder.chmod(0o777)
    before = sorted(folder.rglob("*"))
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    where = {"TMPDIR": temporary} | ({"HOME": blocked} if named == "TMPDIR" else {}) | {named: base}
    found, said = mini.run(**where)
    assert found == RESULT
    assert f"{folder}: others may write to {folder}" in said
    assert said.count("others may write") == 1
    assert not proof.exists()
    assert all(place.read_bytes().startswith(b"sheetmbs kernels") for place in places)
    assert sorted(folder.rglob("*")) == before
    if named != "TMPDIR":  # then the next base serves
        assert mini.kept() or list(temporary.rglob("*.kernels"))


@pytest.mark.skipif(sys.platform == "win32", reason="there lists of rights say who may write")
def test_a_folder_below_one_in_which_others_may_rename_is_not_trusted(mini, tmp_path):
    base = tmp_path / "given"
    (base / "sheetmbs").mkdir(parents=True)
    base.chmod(0o777)
    script = "from mini.compiled.folders import cache_folder; print(cache_folder())"
    found, said = mini.run(script, NUMBA_CACHE_DIR=base)
    assert found == [str(mini.home / ".cache" / "sheetmbs")]
    assert f"others may write to {base}" in said
    base.chmod(0o1777)  # as /tmp: nobody renames there what belongs to others
    assert mini.run(script, NUMBA_CACHE_DIR=base) == ([str(base / "sheetmbs")], "")


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give files to another user")
@pytest.mark.parametrize("of", ["folder", "parent", "file"])
def test_what_belongs_to_another_user_is_not_trusted(ran, tmp_path, of):
    base = tmp_path / "given"
    folder = base / "sheetmbs"
    assert ran.run(XDG_CACHE_HOME=base)[0] == RESULT
    (kept,) = folder.glob("*.kernels")
    os.chown({"folder": folder, "parent": base, "file": kept}[of], 65534, -1)
    found, said = ran.run(XDG_CACHE_HOME=base)
    assert found == RESULT
    assert "belongs to another user" in said
    if of == "file":
        assert f"{kept} belongs to another user" in said


@pytest.mark.skipif(sys.platform == "win32", reason="there links are rare, and lists of rights say who may write")
@pytest.mark.parametrize("planted", ["link", "pipe", "writable"])
def test_a_library_that_is_a_link_a_pipe_or_writable_for_others_is_not_loaded(ran, tmp_path, planted):
    (kept,) = ran.kept()
    content = kept.read_bytes()
    kept.unlink()
    if planted == "pipe":
        os.mkfifo(kept)
    elif planted == "link":
        (tmp_path / "elsewhere").write_bytes(content)
        kept.symlink_to(tmp_path / "elsewhere")
    else:
        kept.write_bytes(content)
        kept.chmod(0o666)
    found, said = ran.run()
    assert found == RESULT
    assert SAID in said


def test_nothing_that_is_read_from_a_file_is_unpickled():
    """Pickles go only through pipes between our own processes, and from machine code that is loaded already."""
    package = Path(sheetmbs.__file__).parent
    reading = ("pickle.load", "marshal.load", "shelve.", "allow_pickle", "import dill", "joblib")
    found = {
        (path.relative_to(package).as_posix(), line.strip())
        for path in package.rglob("*.py")
        for line in path.read_text(encoding="utf-8").splitlines()
        if any(each in line for each in reading)
    }
    assert {name for name, _line in found} == {"compiled/build.py", "compiled/worker.py", "compiled/native.py"}
    assert all("stdin" in line or "stdout" in line or "string_at" in line for _name, line in found)


def test_a_module_in_the_working_folder_is_not_imported_by_the_processes_that_compile(mini, tmp_path):
    for name in ("numba", "json", "pickle", "hashlib"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'proof')!r}, 'w')\nraise SystemExit(9)\n")
    script = (
        f"import os; os.chdir({str(tmp_path)!r})\nimport sys; sys.path = [each for each in sys.path if each]\n{RUN}"
    )
    found, _said = mini.run(script)
    assert found == RESULT
    assert not (tmp_path / "proof").exists()


def test_where_no_linker_is_found_an_edited_checkout_runs_and_an_installation_says_what_to_install(mini):
    linker = mini.folder / "compiled" / "linker.py"
    linker.write_text(linker.read_text().replace("return list(_linkers(platform))", "return []"))
    said = mini.build()
    assert "No linker was found" in said
    assert "`pip install ziglang`" in said
    assert not (mini.folder / LIBRARY).exists()
    for _ in range(2):
        assert mini.run(RUN.replace('"numba" in sys.modules', '"llvmlite" in sys.modules'))[0] == [*RESULT[:2], "True"]
    (kept,) = mini.kept()
    assert {path.suffix for path in kept.parent.glob("*.*")} == {".kernels", ".objects"}


def test_where_the_library_does_not_fit_and_numba_is_missing_one_sentence_says_what_to_install(mini):
    script = f"""
import sys
sys.modules["numba"] = None
from importlib import util
find = util.find_spec
util.find_spec = lambda name, *rest: None if name == "numba" else find(name, *rest)
from mini.compiled.files import BuildError
try:
    exec({RUN!r})
except BuildError as error:
    print(error)
"""
    found, said = mini.run(script)
    assert "numba, which compiles it, is missing" in " ".join(found)
    assert said == ""


@pytest.mark.skipif(sys.platform != "linux", reason="it looks into /proc")
def test_the_system_itself_loads_the_library(built):
    script = (
        f"{RUN}\nprint(*(line.split()[-1] for line in open('/proc/self/maps') if 'kernels{SUFFIX}' in line), sep='\\n')"
    )
    assert set(built.run(script)[0][len(RESULT) :]) == {str(built.folder / CODE)}


def test_a_library_of_an_earlier_version_is_left_alone_without_a_word(ran):
    (kept,) = ran.kept()
    earlier = kept.with_name("0123456789abcdef.kernels")
    earlier.write_bytes(b"sheetmbs kernels 1\n" + bytes(100))
    os.utime(earlier, (time.time() + 60.0,) * 2)  # it is looked at first
    assert ran.run() == (RESULT, "")
    assert earlier.exists()
