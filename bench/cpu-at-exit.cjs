// Preloaded into a program that is measured: its last line on standard error has its CPU time in µs
// and its largest resident memory in KiB.
process.once('exit', () => {
  const { user, system } = process.cpuUsage()
  process.stderr.write(`\n${user + system} ${process.resourceUsage().maxRSS}`)
})
