-- Accounts were named after their e-mail address, which shares show to everybody.
UPDATE users SET name = '问渠用户' || substr(md5(id::text), 1, 4)
WHERE NOT guest AND name = left(split_part(email, '@', 1), 40);
--> statement-breakpoint
-- What all keys that a provision key ever makes may use together has a budget under the provision key's id.
INSERT INTO ledger_budgets (id, kind, used)
SELECT p.id, 'provision_key', coalesce((
	SELECT sum(b.used) FROM api_keys k JOIN ledger_budgets b ON b.id = k.id WHERE k.provision_key_id = p.id), 0)
FROM provision_keys p;
