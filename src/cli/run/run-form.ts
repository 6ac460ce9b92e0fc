import type { TraceEvent } from '../../core/index.ts'
import type { PreparedRun, RunOutcome } from '../../scenario/index.ts'
import type { Io } from '../io.ts'
import type { Colours } from '../terminal/format.ts'
import type { RolesReport, Speed } from './execute.ts'

/** The result of any run, and how fast it was. */
export type AnyReport = RunOutcome & Speed

/** How runs of one kind are shown. */
export interface RunForm {
  text(report: AnyReport | RolesReport, replay: string, paint: Colours): string
  transcript(
    events: readonly TraceEvent[],
    prepared: PreparedRun,
    report: AnyReport,
  ): Promise<string>
  /** What `--svg` asks for; `at` is the moment of a picture of the network. */
  picture(svg: string, at: string | undefined, prepared: PreparedRun): Promise<RunPicture>
}

/** A picture of a run that is to be written. */
export interface RunPicture {
  readonly path: string
  /** Whether it is drawn from the events of the run. */
  readonly ofEvents: boolean
  draw(
    events: TraceEvent[],
    prepared: PreparedRun,
    report: AnyReport,
    io: Io,
  ): Promise<string> | string
}
