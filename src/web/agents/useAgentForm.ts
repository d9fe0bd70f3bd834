import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { Agent } from '#contract/agents/agents.ts'
import { useForm } from '#web/core/useForm.ts'
import { createAutosave } from './autosave.ts'
import { toBody, toFields, withDefaultTexts, type AgentFields } from './formFields.ts'
import { agentCalls } from './queries.ts'

export type AgentForm = ReturnType<typeof useAgentForm>

/** The form of a draft, which is saved by itself as it changes, and when the page is left. */
export function useAgentForm(draft: Agent) {
  const form = useForm(toFields(draft))
  const [autosave] = useState(() =>
    createAutosave((fields: AgentFields) => agentCalls.saveDraft(draft.uuid, toBody(fields))),
  )
  useEffect(() => {
    const flush = () => void autosave.flush()
    addEventListener('pagehide', flush)
    addEventListener('online', flush)
    return () => {
      removeEventListener('pagehide', flush)
      removeEventListener('online', flush)
      flush()
    }
  }, [autosave])
  const setData: typeof form.setData = (change) =>
    form.setData((data) => {
      const following = withDefaultTexts(data, typeof change === 'function' ? change(data) : change)
      autosave.change({ ...data, ...following })
      return following
    })
  return { ...form, setData, autosave, saving: useStore(autosave.store).state }
}
