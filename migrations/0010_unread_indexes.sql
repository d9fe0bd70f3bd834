DROP INDEX "ledger_holds_open";--> statement-breakpoint
DROP INDEX "runs_subject";