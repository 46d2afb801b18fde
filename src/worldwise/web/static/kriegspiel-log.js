// The umpire's log for a person: of the other's refused tries nothing but their number is heard, so they are counted.

/** Whether a line says no more than that the other was refused once more. */
export const isCounted = (line) => Boolean(line?.refused && !line.move);

/** What was heard, line by line; the other's refusals before a move are one line, whose number goes up. */
export function linesOf(log) {
  const lines = [];
  for (const line of log) {
    if (!isCounted(line)) lines.push(line);
    else lines.push(counted(line, isCounted(lines.at(-1)) ? lines.pop().count + 1 : 1));
  }
  return lines;
}

const counted = (line, count) => ({ ...line, count, words: `${line.by}: ${count} ${count === 1 ? "try" : "tries"} refused` });
