import { type RunnerTestCase, TestRunner } from 'vitest'

/** Suites in real time, with browsers, processes and sockets: a busy machine may be too late. */
const REAL_TIME = [
  /^test\/(lab|suites\/(cluster|command-line|coordinator|jobs))\//,
  /^src\/(cli|cluster|coordinator|jobs|nats)\//,
]
/** Two leaders at a time are a failure at once, however busy the machine is. */
const SAFETY = /^test\/suites\/coordinator\/fault/

/** Tries tests in real time again; reports mark what was. All others have to pass at once. */
export default class extends TestRunner {
  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    const { name } = test.file
    const inRealTime = REAL_TIME.some((folder) => folder.test(name))
    if (inRealTime && !SAFETY.test(name)) test.retry ??= 2
    await super.onBeforeRunTask(test)
  }
}
