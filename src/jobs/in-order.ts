/** Passes results on in the order of their jobs, in whatever order they come. */
export function inOrder<Output>(
  next: (output: Output, index: number) => void,
): (index: number, output: Output) => void {
  const early = new Map<number, Output>()
  let passed = 0
  return (index, output) => {
    early.set(index, output)
    for (let one = early.get(passed); one !== undefined; one = early.get(passed)) {
      early.delete(passed)
      next(one, passed++)
    }
  }
}
