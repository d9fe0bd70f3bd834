-- What few bills have: the tier of their prices, tokens of sound and pictures, searches. With it each can be recomputed.
ALTER TABLE "ledger_bills" ADD COLUMN "details" jsonb;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION ledger_settle(ended json) RETURNS TABLE (run_id uuid, charged bigint) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
	one record;
	hold record;
	reserved uuid[];
BEGIN
	PERFORM FROM ledger_holds h JOIN ledger_accounts a ON a.id = h.account_id
		WHERE h.run_id IN (SELECT (e ->> 'run_id')::uuid FROM json_array_elements(ended) e) AND h.state = 'held'
		ORDER BY a.id, h.run_id FOR UPDATE OF a, h;
	PERFORM FROM ledger_budgets WHERE id IN (SELECT b::uuid
		FROM json_array_elements(ended) e JOIN ledger_holds h ON h.run_id = (e ->> 'run_id')::uuid AND h.state = 'held',
			jsonb_array_elements_text(h.budgets) b)
		ORDER BY id FOR UPDATE;
	FOR one IN SELECT * FROM json_to_recordset(ended) AS r(run_id uuid, computed bigint, settled boolean, transfer_id uuid,
		debit_id uuid, credit_id uuid, income uuid, model text, platform text, input_tokens int, output_tokens int,
		cached_tokens int, cache_write_tokens int, reasoning_tokens int, units int, times int, usage_source text, flagged text,
		prices jsonb, details jsonb)
	LOOP
		SELECT h.account_id, h.amount, h.budgets, a.balance - a.held AS free INTO hold
		FROM ledger_holds h JOIN ledger_accounts a ON a.id = h.account_id WHERE h.run_id = one.run_id AND h.state = 'held';
		-- It has ended, or was never there.
		CONTINUE WHEN NOT FOUND;
		run_id := one.run_id;
		-- Where the usage costs more than was held, what is free covers it as far as it goes.
		charged := least(one.computed, hold.amount + hold.free);
		reserved := ARRAY(SELECT b::uuid FROM jsonb_array_elements_text(hold.budgets) b);
		UPDATE ledger_holds SET state = CASE WHEN one.settled THEN 'settled' ELSE 'void' END, ended_at = now()
		WHERE run_id = one.run_id;
		UPDATE ledger_budgets SET held = held - hold.amount, used = used + charged WHERE id = ANY (reserved);
		UPDATE ledger_accounts SET held = held - hold.amount, balance = balance - charged WHERE id = hold.account_id;
		IF one.settled THEN
			INSERT INTO ledger_bills (run_id, account_id, amount, computed, model, platform, input_tokens, output_tokens,
				cached_tokens, cache_write_tokens, reasoning_tokens, units, times, usage_source, flagged, prices, details)
			VALUES (one.run_id, hold.account_id, charged, one.computed, one.model, one.platform, one.input_tokens,
				one.output_tokens, one.cached_tokens, one.cache_write_tokens, one.reasoning_tokens, one.units, one.times,
				one.usage_source, one.flagged, one.prices, one.details);
		END IF;
		IF charged > 0 THEN
			INSERT INTO ledger_entries (id, transfer_id, account_id, amount, kind, run_id)
			VALUES (one.debit_id, one.transfer_id, hold.account_id, -charged, 'charge', one.run_id),
				(one.credit_id, one.transfer_id, one.income, charged, 'charge', one.run_id);
		END IF;
		RETURN NEXT;
	END LOOP;
END $$;
