import { Link } from '@inertiajs/react'
import { Link2 } from 'lucide-react'
import { Calculator } from '../models/calculator/Calculator.tsx'
import { PageBody } from '../models/PageBody.tsx'
import { Shell } from '../shell/Shell.tsx'
import { calculatorText } from '../text/models.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { copyText } from '../ui/copyText.ts'

/** The calculator, under the specification's spelling of its name. */
export default function Caculator() {
  return (
    <Shell
      title={calculatorText.title}
      header={
        <>
          <h1 className="mr-auto px-2 text-[15px] font-medium">{calculatorText.title}</h1>
          <Button variant="ghost" size="sm" onClick={() => void copyText(location.href)}>
            <Link2 size={16} aria-hidden />
            {calculatorText.share}
          </Button>
          <Link
            href="/docs/charging"
            className={`${buttonClass({ variant: 'ghost', size: 'sm' })} max-sm:hidden!`}
          >
            {calculatorText.charging}
          </Link>
        </>
      }
    >
      <PageBody>
        <Calculator />
      </PageBody>
    </Shell>
  )
}
