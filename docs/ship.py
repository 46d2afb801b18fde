"""The rows that the package ships: ``python docs/ship.py lab-results`` packs the best run of every experiment there.

Of an experiment one run is shipped: a new one takes the place of the old. Ids or papers after the folder choose some.
``--unpack`` goes the other way: it writes what is shipped into the folder as ordinary files of results, to be looked at
or gone on with.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from worldwise.core.durable_files import write_file, write_into
from worldwise.errors import InputError
from worldwise.lab.papers import load_all
from worldwise.lab.results import Results, find_runs, packed_name
from worldwise.runs.job import Measured
from worldwise.runs.packed_rows import pack, unpack
from worldwise.runs.row_files import FORMAT, KEY, read_run
from worldwise.runs.row_lines import row_line, seal

if TYPE_CHECKING:
    from worldwise.lab.experiment import Experiment

SHIPPED = Path(__file__).parents[1] / "src" / "worldwise" / "lab" / "shipped"


def shipped_files(experiment: Experiment) -> list[Path]:
    """The packed files of an experiment; one, or none."""
    return sorted(SHIPPED.glob(f"{experiment.id.replace('/', '-')}.*.xz"))


def ship(experiment: Experiment, folder: Path) -> Path | None:
    """Pack the best run in a folder; None if it has none of this experiment."""
    results = find_runs(experiment, folder).best
    if results is None or results.shipped:
        return None
    target = SHIPPED / packed_name(results.plan)
    data = packed(results)
    for older in shipped_files(experiment):
        older.unlink()
    write_file(target, data)
    return target


def packed(results: Results) -> bytes:
    """A run's rows, in the order of reports."""
    stored = read_run(results.path, results.plan)
    if stored is None or stored.damage:
        raise InputError(f"{results.path}: expected a file without a damaged line; worldwise lab repair")
    return pack(stored.provenance, {pair: stored.rows[pair] for pair in results.plan.pairs if pair in stored.rows})


def unship(path: Path, folder: Path) -> Path:
    """A packed file as an ordinary file of results."""
    provenance, rows = unpack(path.read_bytes())
    lines = [row_line(Measured(pair, row)) for pair, row in rows.items()]
    name = path.name.replace(".json.xz", ".jsonl")
    return write_into(folder, name, b"".join([seal({**provenance, KEY: FORMAT}), *lines]))


def main() -> None:
    """Pack, or unpack."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("names", nargs="*", default=["all"], metavar="ID")
    parser.add_argument("--unpack", action="store_true")
    asked = parser.parse_args()
    for experiment in (one for name in asked.names for one in load_all(name)):
        if asked.unpack:
            made = [unship(path, asked.folder) for path in shipped_files(experiment)]
        else:
            made = [path for path in [ship(experiment, asked.folder)] if path]
        for path in made:
            print(f"{path.name}: {path.stat().st_size:,} bytes")  # noqa: T201


if __name__ == "__main__":
    main()
