import { Check, Pencil, Trash2, Upload } from 'lucide-react'
import { useRef, useState, type FormEvent } from 'react'
import type { GlossaryScope, GlossaryTerm } from '#contract/translate/glossary.ts'
import { targetLanguages, type TargetLanguage } from '#contract/translate/languages.ts'
import { request } from '#web/core/api.ts'
import { queryClient, useQuery } from '#web/core/queryClient.ts'
import { useUser } from '#web/core/user.ts'
import { translateText as text } from '#web/text/translate/text.ts'
import { Button } from '#web/ui/Button.tsx'
import { Dialog } from '#web/ui/Dialog.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ChoiceChips } from '#web/ui/form/ChoiceChips.tsx'
import { FileInput } from '#web/ui/form/FileInput.tsx'
import { Input } from '#web/ui/form/Input.tsx'
import { Select } from '#web/ui/form/Select.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { QueryView } from '#web/ui/QueryView.tsx'
import { Skeleton } from '#web/ui/Skeleton.tsx'
import { toast } from '#web/ui/toast.ts'
import { withToast } from '#web/ui/withToast.ts'
import { MAX_CSV_CHARS, MAX_TERM_CHARS } from './limits.ts'
import { languages } from './settings.ts'

const glossaryKey = ['glossary'] as const
const refresh = () => queryClient.invalidateQueries({ queryKey: glossaryKey })

type Props = { initialTarget: TargetLanguage; onClose: () => void }

/** Edits and imports the person's terms, by language, and shows those of the organization, which its owners and admins edit. */
export default function GlossaryDialog({ initialTarget, onClose }: Props) {
  const [target, setTarget] = useState(initialTarget)
  const [scope, setScope] = useState<GlossaryScope>('own')
  const organization = useUser()?.organization
  const isOwn = scope === 'own'
  const canEdit = isOwn || organization?.role !== 'member'
  const query = useQuery({
    queryKey: [...glossaryKey, target, scope],
    queryFn: async ({ signal }) =>
      (await request('GET /api/glossary', { query: { target_lang: target, scope } }, { signal })).items,
  })
  return (
    <Dialog
      open
      kind="wide"
      onOpenChange={onClose}
      title={organization ? text.glossary : text.terms}
      description={(isOwn ? text.termsHint : text.sharedTermsHint)(targetLanguages[target])}
    >
      {organization && (
        <ChoiceChips
          label={text.scope}
          choices={[
            { value: 'own', label: text.terms },
            { value: 'organization', label: text.sharedTerms(organization.name) },
          ]}
          chosen={scope}
          onChoose={setScope}
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Select
          aria-label={text.termsLanguage}
          value={target}
          onChange={(event) => setTarget(event.target.value as TargetLanguage)}
        >
          {languages.map(([code, name]) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </Select>
        {canEdit && <ImportTerms target={target} scope={scope} />}
      </div>
      {canEdit && <TermForm target={target} scope={scope} />}
      <QueryView
        query={query}
        failed={text.termsFailed}
        skeleton={<Skeleton className="h-32" />}
        isEmpty={(terms) => terms.length === 0}
        empty={
          <EmptyState
            title={text.termsEmpty}
            description={canEdit ? text.termsEmptyHint : text.sharedTermsEmptyHint}
          />
        }
      >
        {(terms) => (
          <ul aria-label={text.terms} className="max-h-[45dvh] divide-y overflow-y-auto rounded-xl border">
            {terms.map((term) => (
              <TermRow key={term.id} term={term} scope={scope} canEdit={canEdit} />
            ))}
          </ul>
        )}
      </QueryView>
    </Dialog>
  )
}

type FieldsProps = {
  values: Pick<GlossaryTerm, 'term' | 'translation'>
  onChange: (values: FieldsProps['values']) => void
}

const TermFields = ({ values, onChange }: FieldsProps) => (
  <>
    <Input
      aria-label={text.term}
      placeholder={text.term}
      value={values.term}
      maxLength={MAX_TERM_CHARS}
      autoComplete="off"
      onChange={({ target }) => onChange({ ...values, term: target.value })}
      className="min-w-0 flex-1 basis-36"
    />
    <Input
      aria-label={text.termTranslation}
      placeholder={text.termTranslation}
      value={values.translation}
      maxLength={MAX_TERM_CHARS}
      autoComplete="off"
      onChange={({ target }) => onChange({ ...values, translation: target.value })}
      className="min-w-0 flex-1 basis-36"
    />
  </>
)

const noTerm = { term: '', translation: '' }
const isWhole = ({ term, translation }: FieldsProps['values']) =>
  term.trim() !== '' && translation.trim() !== ''

function TermForm({ target, scope }: { target: TargetLanguage; scope: GlossaryScope }) {
  const [values, setValues] = useState(noTerm)
  const [pending, setPending] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setPending(true)
    const response = await withToast(() =>
      request('POST /api/glossary', { body: { ...values, target_lang: target, scope } }),
    )
    setPending(false)
    if (!response) return
    setValues(noTerm)
    form.current?.querySelector('input')?.focus()
    await refresh()
  }
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} className="flex flex-wrap gap-2">
      <TermFields values={values} onChange={setValues} />
      <Button type="submit" variant="primary" className="h-10!" pending={pending} disabled={!isWhole(values)}>
        {text.addTerm}
      </Button>
    </form>
  )
}

type RowProps = { term: GlossaryTerm; scope: GlossaryScope; canEdit: boolean }

function TermRow({ term: savedTerm, scope, canEdit }: RowProps) {
  const { id, term, translation, target_lang } = savedTerm
  const [edited, setEdited] = useState<FieldsProps['values'] | null>(null)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const response = await withToast(() =>
      request('PUT /api/glossary/{id}', { params: { id }, body: { ...edited!, target_lang, scope } }),
    )
    if (!response) return
    setEdited(null)
    await refresh()
  }
  const remove = async () => {
    await withToast(() => request('DELETE /api/glossary/{id}', { params: { id }, query: { scope } }))
    await refresh()
  }
  if (edited)
    return (
      <li className="p-2">
        <form onSubmit={(event) => void save(event)} className="flex flex-wrap items-center gap-2">
          <TermFields values={edited} onChange={setEdited} />
          <IconButton type="submit" label={text.saveTerm(term)} disabled={!isWhole(edited)}>
            <Check size={17} aria-hidden />
          </IconButton>
        </form>
      </li>
    )
  return (
    <li className="flex items-center gap-2 py-1 pr-1.5 pl-4">
      <span className="min-w-0 flex-1 wrap-anywhere">{term}</span>
      <span className="min-w-0 flex-1 wrap-anywhere text-ink2" lang={target_lang}>
        {translation}
      </span>
      {canEdit && (
        <>
          <IconButton size="sm" label={text.editTerm(term)} onClick={() => setEdited({ term, translation })}>
            <Pencil size={15} aria-hidden />
          </IconButton>
          <IconButton size="sm" label={text.deleteTerm(term)} onClick={() => void remove()}>
            <Trash2 size={15} aria-hidden />
          </IconButton>
        </>
      )}
    </li>
  )
}

function ImportTerms({ target, scope }: { target: TargetLanguage; scope: GlossaryScope }) {
  const picker = useRef<HTMLInputElement>(null)
  const [pending, setPending] = useState(false)
  const importFile = async ([file]: File[]) => {
    if (!file) return
    const csv = await file.text()
    if (csv.length > MAX_CSV_CHARS) return toast.error(text.importTooLarge)
    setPending(true)
    const result = await withToast(() =>
      request('POST /api/glossary/import', { body: { target_lang: target, csv, scope } }),
    )
    setPending(false)
    if (!result) return
    toast.success(text.imported(result.added, result.changed))
    if (result.skipped.length) toast.error(text.skippedLines(result.skipped))
    await refresh()
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <span className="text-note text-ink3">{text.importHint}</span>
      <FileInput ref={picker} onFiles={(files) => void importFile(files)} />
      <Button pending={pending} className="h-10!" onClick={() => picker.current?.click()}>
        <Upload size={16} aria-hidden />
        {text.importTerms}
      </Button>
    </div>
  )
}
