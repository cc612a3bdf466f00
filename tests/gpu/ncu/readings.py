# SPDX-License-Identifier: Apache-2.0
"""What collect and collect-limits write: ncu's raw pages, a case after the other."""
import csv


def read(path):
    """Facts of the machine {key: text}, and ncu's launches [(words after "# case:", {column: text})]."""
    facts, launches, case, header = {}, [], None, None
    for line in path.read_text().splitlines():
        if line.startswith("# case: "):
            case, header = tuple(line[8:].split()), None
        elif line.startswith("# "):
            key, text = line[2:].split(": ", 1)
            facts[key] = text
        else:
            cells = next(csv.reader([line]))
            if header is None:
                header = cells
            elif cells[0]:  # the line below the header holds units
                launches.append((case, dict(zip(header, cells))))
    return facts, launches
