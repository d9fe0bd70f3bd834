-- A run knows who asked (user_id) and which account pays (account_id), and holds are requested by account.
ALTER TABLE "runs" ADD COLUMN "account_id" uuid;
--> statement-breakpoint
UPDATE runs SET account_id = coalesce((SELECT h.account_id FROM ledger_holds h WHERE h.run_id = runs.id),
	(SELECT a.id FROM ledger_accounts a WHERE a.user_id = runs.user_id));
--> statement-breakpoint
ALTER TABLE "runs" ALTER COLUMN "account_id" SET NOT NULL;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION ledger_hold(asked json) RETURNS TABLE (run_id uuid, granted bigint, short text) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
	one record;
	free bigint;
	spare bigint;
BEGIN
	-- Accounts, then budgets, each in the order of their ids, as `ledger_settle` does: two batches cannot block each other.
	PERFORM FROM ledger_accounts WHERE id IN (SELECT (e ->> 'account_id')::uuid FROM json_array_elements(asked) e)
		ORDER BY id FOR UPDATE;
	PERFORM FROM ledger_budgets
		WHERE id IN (SELECT b::uuid FROM json_array_elements(asked) e, json_array_elements_text(e -> 'budgets') b)
		ORDER BY id FOR UPDATE;
	FOR one IN SELECT * FROM json_to_recordset(asked)
		AS r(run_id uuid, account_id uuid, amount bigint, least bigint, budgets uuid[])
	LOOP
		SELECT balance - held INTO free FROM ledger_accounts WHERE id = one.account_id;
		short := CASE WHEN free >= one.least THEN NULL ELSE 'balance' END;
		spare := NULL;
		IF short IS NULL THEN
			-- The first budget that has too little, or that is none.
			SELECT min(b.spend_limit - b.used - b.held), (array_agg(coalesce(b.kind, 'unknown') ORDER BY nth)
				FILTER (WHERE b.id IS NULL OR b.spend_limit - b.used - b.held < one.least))[1] INTO spare, short
			FROM unnest(one.budgets) WITH ORDINALITY named(id, nth) LEFT JOIN ledger_budgets b ON b.id = named.id;
		END IF;
		run_id := one.run_id;
		granted := NULL;
		IF short IS NULL THEN
			granted := least(one.amount, free, spare);
			UPDATE ledger_accounts SET held = held + granted WHERE id = one.account_id;
			UPDATE ledger_budgets SET held = held + granted WHERE id = ANY (one.budgets);
			INSERT INTO ledger_holds (run_id, account_id, amount, budgets, state)
			VALUES (one.run_id, one.account_id, granted, to_jsonb(one.budgets), 'held');
		END IF;
		RETURN NEXT;
	END LOOP;
END $$;
