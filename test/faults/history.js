/*
 * What a run of a cluster shows, computed from the lines of its members: when each lease was valid,
 * for how long two were, how long nobody led, and when all members knew the same leader.
 */

/** The intervals in which a member held a valid lease. `died`: when its process was killed. */
export function validity(lines, died = []) {
  const intervals = []
  let open = null
  const close = (at) => {
    if (open !== null && at > open.from) intervals.push({ ...open, to: Math.min(at, open.to) })
    open = null
  }
  const events = [...lines, ...died.map((at) => ({ at, what: 'died' }))]
  for (const line of events.toSorted((a, b) => a.at - b.at)) {
    if (open !== null && line.at > open.to) close(open.to)
    if (line.what === 'valid' && open?.term === line.term) open.to = line.until
    else if (line.what === 'valid') {
      close(line.at)
      open = { from: line.at, to: line.until, term: line.term }
    } else if (line.what === 'invalid' || line.what === 'died') close(line.at)
  }
  close(Number.POSITIVE_INFINITY)
  return intervals
}

/** Milliseconds in which more than one of these members held a valid lease. */
export function overlap(byMember) {
  return measure(byMember.flat(), (count) => count > 1)
}

/** Milliseconds between two moments in which nobody held a valid lease, and the longest part. */
export function vacancy(byMember, from, to) {
  const within = byMember
    .flat()
    .map((one) => ({ from: Math.max(one.from, from), to: Math.min(one.to, to) }))
    .filter((one) => one.to > one.from)
    .toSorted((a, b) => a.from - b.from)
  let [at, total, longest] = [from, 0, 0]
  for (const one of [...within, { from: to, to }]) {
    const gap = Math.max(0, one.from - at)
    total += gap
    longest = Math.max(longest, gap)
    at = Math.max(at, one.to)
  }
  return { total, longest }
}

function measure(intervals, counts) {
  const ends = intervals
    .flatMap(({ from, to }) => [
      [from, 1],
      [to, -1],
    ])
    .toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
  let [total, count, last] = [0, 0, 0]
  for (const [at, step] of ends) {
    if (counts(count)) total += at - last
    count += step
    last = at
  }
  return total
}

/** The first moment from `from` on since which all these members know the same leader for good. */
export function agreement(byMember, from) {
  const changes = byMember
    .flatMap((lines, member) =>
      lines
        .filter(({ what }) => what === 'leader' || what === 'ready')
        .map(({ at, leader }) => ({ at, member, leader: leader?.id ?? null })),
    )
    .toSorted((a, b) => a.at - b.at)
  const known = byMember.map(() => null)
  let since = null
  for (const { at, member, leader } of changes) {
    known[member] = leader
    const agreed = known[0] !== null && known.every((one) => one === known[0])
    if (!agreed) since = null
    else since ??= at
  }
  return since === null ? null : Math.max(since, from)
}

/** Writes that a member tried while its lease was not valid, refused or not. */
export function staleActs(lines, byMember, names) {
  return lines.filter(
    ({ token, holder, at }) =>
      !byMember[names.indexOf(holder)].some(
        // The first line of a term may come a little after its first act.
        ({ from, to, term }) => term === token && from - 20 <= at && at <= to,
      ),
  ).length
}

/** What the fenced resource accepted that it should not have, and what it lost. */
export function fenceReport(lines) {
  const written = lines.filter(({ what }) => what === 'written')
  let [violations, lost] = [0, 0]
  for (const [i, line] of written.entries()) {
    const before = written[i - 1]
    if (before === undefined) continue
    const other = line.token === before.token && line.holder !== before.holder
    if (line.token < before.token || other) violations++
    if (line.value <= before.value) lost++
  }
  const refused = lines.filter(({ what }) => what === 'refused').length
  return { written: written.length, violations, lost, refused }
}
