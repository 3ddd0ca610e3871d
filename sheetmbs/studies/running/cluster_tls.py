"""The files by which this process and a Dask cluster prove to each other who they are, and encrypt what they send."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sheetmbs.problems.errors import Problem, WorkbookError

TLS = "tls://"
"""how the address of a scheduler begins that speaks TLS"""


@dataclass(frozen=True)
class ClusterTls:
    """Files encoded in PEM, as Dask's own commands take them.

    ca: certificates of the authority that signed those of the cluster. certificate: of this process. key: of that certificate;
    None: it stands in the same file.
    """

    ca: Path
    certificate: Path
    key: Path | None = None

    def check(self, address: str) -> None:
        """Raise WorkbookError where a file is missing, or the cluster would be talked to without encryption."""
        for option, file in (("--tls-ca-file", self.ca), ("--tls-cert", self.certificate), ("--tls-key", self.key)):
            if file is not None and not file.is_file():
                found, rule = f"there is no file {file}", f"{option} names a file encoded in PEM"
                raise WorkbookError(Problem("no-tls-file", "error", "", found, rule, "check the name and the folder"))
        if not address.startswith(TLS):
            rule = f"with TLS the address of a scheduler begins with {TLS}"
            mend = f"start scheduler and workers with --tls-ca-file, --tls-cert and --tls-key, and write {TLS}host:8786"
            raise WorkbookError(Problem("not-tls", "error", "", f"the cluster at {address}", rule, mend))
