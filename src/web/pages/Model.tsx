import { Link } from '@inertiajs/react'
import { ChevronLeft } from 'lucide-react'
import type { PageProps } from '#contract/pages.ts'
import { ModelPage } from '../models/ModelPage.tsx'
import { PageBody } from '#web/shell/PageBody.tsx'
import { ModelDirectory } from '#web/models/ModelDirectory.tsx'
import { AppPage } from '#web/shell/AppPage.tsx'
import { modelsText } from '../text/models.ts'
import { buttonClass } from '../ui/Button.tsx'

const headerLink = buttonClass({ variant: 'ghost', size: 'sm' })

/** The model directory; with `model`, that model's own page. */
export default function Model({ model }: PageProps<'Model'>) {
  return (
    <AppPage title={model ?? modelsText.title} header={model ? <BackToModels /> : <ModelDirectoryHeader />}>
      <PageBody>{model ? <ModelPage key={model} model={model} /> : <ModelDirectory />}</PageBody>
    </AppPage>
  )
}

function ModelDirectoryHeader() {
  return (
    <>
      <h1 className="mr-auto px-2 text-reading font-medium">{modelsText.title}</h1>
      <Link href="/calculator" className={headerLink}>
        {modelsText.calculator}
      </Link>
      <Link href="/docs/charging" className={headerLink}>
        {modelsText.charging}
      </Link>
    </>
  )
}

function BackToModels() {
  return (
    <Link href="/models" className={headerLink}>
      <ChevronLeft size={16} aria-hidden />
      {modelsText.back}
    </Link>
  )
}
