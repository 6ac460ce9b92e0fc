import { useEffect } from 'preact/hooks'
import { checking } from '../model/check-outcome.ts'
import { ProofPanel } from '../prover/proof-panel.tsx'
import { Icon } from '../view/icon.tsx'
import { type CheckedSubject, failure, followSubject, subject, worst } from './exploration.ts'
import { ExploredWorld } from './explored-world.tsx'
import { FailureNote, NextEvents } from './next-events.tsx'
import { SameCommand, SearchPanel } from './search-panel.tsx'
import { StateGraph } from './state-graph.tsx'
import { followClock, followSubjectByWalk } from './walk.ts'
import './checker.css'

/** In a lesson: the search and the walk, of what its picture shows. */
export function TaskChecker({ worst: asked }: { readonly worst: boolean }) {
  useFollowing()
  useEffect(() => {
    worst.value = asked ? 'messages' : null
  }, [asked])
  return (
    <div class="checker">
      <FailureNote failure={failure.value} />
      <SearchPanel fixed />
      <NextEvents />
    </div>
  )
}

/** While it is shown, verdicts, estimates and the walk follow the scenario and the clock. */
function useFollowing(): void {
  useEffect(() => {
    const ends = [followSubject(), followSubjectByWalk(), followClock()]
    return () => {
      for (const end of ends) end()
    }
  }, [])
}

/** The checker: what is explored, its verdicts, and a walk through its states. */
export function Checker() {
  useFollowing()
  return (
    <div class="checker">
      <header class="bar">
        <h2>Check</h2>
        <button
          type="button"
          class="flat"
          aria-label="Close the checker"
          onClick={() => {
            checking.value = false
          }}
        >
          <Icon name="close" />
        </button>
      </header>
      {subject.value === null ? (
        <p role="status">The scenario is being read.</p>
      ) : (
        <>
          <ExploredWorld subject={subject.value} />
          <FailureNote failure={failure.value} />
          <SearchPanel />
          <Proving subject={subject.value} />
          <NextEvents />
          <StateGraph />
          <SameCommand />
        </>
      )}
    </div>
  )
}

/** The same algorithm on networks of every size. */
function Proving({ subject: { settings, code } }: { readonly subject: CheckedSubject }) {
  const { algorithm } = settings
  return (
    <ProofPanel subject={() => ({ algorithm, code })} about={`${algorithm} ${code?.compiled}`} />
  )
}
