import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { Agent } from '#contract/agents/agents.ts'
import { useForm } from '#web/core/useForm.ts'
import { createAutosave } from './autosave.ts'
import { readDraftCopy, removeDraftCopy, writeDraftCopy } from './draftCopy.ts'
import { toBody, toFields, withDefaultTexts, type AgentFields } from './formFields.ts'
import { agentCalls } from './queries.ts'

export type AgentForm = ReturnType<typeof useAgentForm>

/**
 * The form of a draft. It saves itself as it changes and when the page is left; until that save has arrived, the next page goes
 * on with a copy kept in the tab.
 */
export function useAgentForm(draft: Agent) {
  const { uuid, version } = draft
  const [copy] = useState(() => readDraftCopy(draft))
  const form = useForm(copy ?? toFields(draft))
  const [autosave] = useState(() =>
    createAutosave(async (fields: AgentFields) => {
      await agentCalls.saveDraft(uuid, toBody(fields))
      removeDraftCopy(uuid)
    }),
  )
  useEffect(() => {
    if (copy) autosave.change(copy)
    const flush = () => void autosave.flush()
    const leave = () => {
      const unsaved = autosave.getUnsaved()
      if (unsaved) writeDraftCopy(uuid, { fields: unsaved.data, version: version + unsaved.savings })
      flush()
    }
    addEventListener('pagehide', leave)
    addEventListener('online', flush)
    return () => {
      removeEventListener('pagehide', leave)
      removeEventListener('online', flush)
      leave()
    }
  }, [autosave, copy, uuid, version])
  const setData: typeof form.setData = (change) =>
    form.setData((data) => {
      const following = withDefaultTexts(data, typeof change === 'function' ? change(data) : change)
      autosave.change({ ...data, ...following })
      return following
    })
  /** Saves an uploaded logo and shows the server's picture of it. Throws why a save failed; the logo then stays. */
  const saveLogo = async (logo: string) => {
    form.setData((data) => {
      autosave.change({ ...data, logo })
      return {}
    })
    await autosave.flush()
    const saveState = autosave.store.getState()
    if (saveState.state === 'failed') {
      // The next save is to have the logo that is shown.
      setData({})
      throw saveState.error
    }
    setData({ logo: (await agentCalls.get(draft.uuid)).logo })
  }
  return { ...form, setData, saveLogo, autosave, saving: useStore(autosave.store).state }
}
