import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Agent, AgentEmbed } from '#contract/agents/agents.ts'
import type { Block } from '#contract/blocks.ts'
import { uploadMessages } from '#contract/uploads.ts'
import type { UserInfo } from '#contract/users.ts'
import { embedLink, getUploadModule, isUnfinished, removeUpload, useUploads } from '#web/files/files.ts'
import { agentFormText as text } from '#web/text/agents/form.ts'
import { withModule } from '#web/ui/lazy/withModule.ts'
import { toast } from '#web/ui/toast.ts'
import { withToast } from '#web/ui/withToast.ts'
import { toAgentName, type AgentFields } from '../formFields.ts'
import { agentCalls, invalidateSourceStatus, setSourceStatus, useSourceStatus, ZHIKU } from '../queries.ts'

/** Draft by upload key: uploads go on while the person looks at something else. */
const draftByUpload = new Map<string, string>()

type Options = {
  draft: Agent
  user: UserInfo
  fields: AgentFields
  /** The draft still exists. */
  isOpen: boolean
  setFields: (change: (fields: AgentFields) => Partial<AgentFields>) => void
  /** Saves the draft with its present sources. */
  save: () => Promise<void>
}

export type Sources = ReturnType<typeof useSources>

/** The sources of a draft: uploads on their way, and documents with the server's progress. */
export function useSources({ draft, user, fields, isOpen, setFields, save }: Options) {
  const { uuid } = draft
  const { data } = useSourceStatus(uuid, { status: draft.status, embeds: draft.embeds }, isOpen)
  const uploads = useUploads((state) => state.uploads).filter(({ key }) => draftByUpload.get(key) === uuid)
  /** Sources that the server has not reported on yet. */
  const [added, setAdded] = useState<readonly AgentEmbed[]>([])
  const embeds = fields.embeds.flatMap(
    (id) => [...(data?.embeds ?? []), ...added].find((embed) => embed.id === id) ?? [],
  )
  const isProcessing = embeds.some(({ status }) => status < 2) || uploads.some(isUnfinished)

  const attach = (blocks: readonly Block[]) => {
    const newBlocks = blocks.filter(({ id }) => !fields.embeds.includes(id))
    if (newBlocks.length < blocks.length) toast.error(text.known)
    const [first] = newBlocks
    if (!first) return
    setAdded([...added, ...newBlocks.map(toEmbed)])
    setFields(({ embeds, name }) => ({
      embeds: [...embeds, ...newBlocks.map(({ id }) => id)],
      name: name || toAgentName(first.name),
    }))
  }
  const finishedUploads = uploads.filter(({ state }) => state === 'done')
  const onFinished = useEffectEvent(() => {
    attach(finishedUploads.flatMap(({ block }) => block ?? []))
    for (const { key } of finishedUploads) removeUpload(key)
  })
  useEffect(() => onFinished(), [finishedUploads.length])
  const ids = fields.embeds.join()
  // A form restored from its copy may have other sources than its draft.
  const savedIds = useRef(draft.embeds.map(({ id }) => id).join())
  const onChanged = useEffectEvent(async () => {
    await save()
    await invalidateSourceStatus(uuid)
  })
  useEffect(() => {
    if (savedIds.current === ids) return
    savedIds.current = ids
    void onChanged()
  }, [ids])

  /** Tells, with a toast, that a task is going on already: there is one at a time (specification section 5). */
  const isRefused = () => {
    if (isProcessing) toast.error(uploadMessages.unfinished)
    return isProcessing
  }
  return {
    uploads,
    embeds,
    isProcessing,
    addFiles: (files: readonly File[]) => {
      if (isRefused()) return
      void withModule(getUploadModule, ({ addUploads }) => {
        for (const key of addUploads(files, { channel: ZHIKU, level: user.level }))
          draftByUpload.set(key, uuid)
      })
    },
    /** Resolves with true when the page was added. */
    addLink: async (url: string): Promise<boolean> => {
      if (isRefused()) return false
      const answer = await embedLink(() => agentCalls.addLink(url))
      if (answer) attach([answer.data])
      return answer !== null
    },
    retry: async (id: string) => {
      await withToast(() => agentCalls.retrySource(id))
      await invalidateSourceStatus(uuid)
    },
    remove: (id: string) => setFields(({ embeds }) => ({ embeds: embeds.filter((other) => other !== id) })),
    /** Cancels all uploads and the server's work on sources. */
    cancelAll: async () => {
      const { cancelUpload } = await getUploadModule()
      for (const { key } of uploads.filter(isUnfinished)) cancelUpload(key)
      // The server may have read the newest source already, but the draft that is to be cancelled may lack it.
      await save()
      const status = await withToast(() => agentCalls.cancelSources(uuid), { done: text.cancelled })
      if (status) setSourceStatus(uuid, status)
    },
  }
}

/** A block as a source, before the server has reported any progress. */
const toEmbed = ({ id, name, type, size, md5, url }: Block): AgentEmbed => ({
  id,
  name,
  type,
  size,
  link: md5 === null ? url : null,
  status: 1,
  percent: 0,
  error: null,
  delay: null,
  chunks: 0,
})
