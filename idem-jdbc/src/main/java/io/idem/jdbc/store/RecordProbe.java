package io.idem.jdbc.store;

import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.OwnerToken;
import io.idem.jdbc.internal.Durability;
import io.idem.jdbc.internal.OwnTransactions;
import io.idem.jdbc.internal.TableNames;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.util.Assert;

/** Tries the store's statements on the tables, with a random key and in a transaction that is rolled back. */
final class RecordProbe {

    private static final int LARGE = 70_000;
    private static final String SCOPE = "p".repeat(64);
    private static final long HOUR = 3_600_000_000L;
    private static final String COPY = "INSERT INTO idem_record (key_id, scope, state, attempts, grant_kind, fence,"
            + " fingerprint, owner, at, expires_at) SELECT key_id, 'p', state, attempts, grant_kind, fence,"
            + " fingerprint, owner, at, expires_at FROM idem_record WHERE key_id = ? AND scope = ?";

    private final OwnTransactions database;
    private final TableNames names;
    private final String keyId =
            IdempotencyKey.of("idem-probe-" + UUID.randomUUID()).id();
    private final byte[] owner = OwnerToken.random(new SecureRandom()).toBytes();

    RecordProbe(OwnTransactions database, TableNames names) {
        this.database = database;
        this.names = names;
    }

    /**
     * Runs the probe.
     *
     * @throws IllegalStateException if the tables do not behave as needed; the message says how
     */
    void run() {
        database.rolledBack(this::tryRows);
        Assert.state(database.run(this::read).isEmpty(), "a record stays although its transaction was rolled back");
    }

    private void tryRows(JdbcTemplate jdbc) {
        List.of("idem_record", "idem_scope").forEach(table -> Durability.requireLasting(jdbc, true, names.in(table)));
        List<Map<String, Object>> granted = acquire(jdbc, owner);
        Assert.state(granted.size() == 1, "a record could not be inserted");
        Assert.state(
                acquire(jdbc, OwnerToken.random(new SecureRandom()).toBytes()).isEmpty(),
                "one key was granted twice. The table needs PRIMARY KEY (key_id, scope), of these two columns alone");
        Assert.state(
                jdbc.update(names.in(COPY), keyId, SCOPE) == 1,
                "one key cannot have records in two scopes. The table needs PRIMARY KEY (key_id, scope)");
        byte[] large = new byte[LARGE];
        Arrays.fill(large, (byte) 0xF1);
        Object fence = granted.get(0).get("fence");
        int completed =
                jdbc.update(names.in(RecordStatements.COMPLETE), HOUR, "probe", large, keyId, SCOPE, owner, fence);
        Assert.state(completed == 1, "a record could not be completed");
        List<byte[]> read = read(jdbc);
        Assert.state(
                read.size() == 1 && Arrays.equals(read.get(0), large),
                "a result of " + LARGE + " bytes came back changed");
        jdbc.update(names.in(RecordStatements.ANNOUNCE), SCOPE);
        Assert.state(
                jdbc.update(names.in(RecordStatements.ANNOUNCE), SCOPE) == 0,
                "a scope was announced twice. The table idem_scope needs PRIMARY KEY (name)");
        Assert.state(
                jdbc.queryForList(names.in(RecordStatements.READ_ALL), keyId).size() == 1,
                "a record was not found again by its key and its announced scope");
        jdbc.update(names.in("DELETE FROM idem_record WHERE key_id = ?"), keyId);
        Durability.warnOfLateCommits(jdbc, true);
    }

    private List<Map<String, Object>> acquire(JdbcTemplate jdbc, byte[] by) {
        byte[] digest = new byte[Fingerprint.SIZE];
        return jdbc.queryForList(
                names.in(RecordStatements.ACQUIRE), keyId, SCOPE, 0L, digest, by, HOUR, HOUR, 0L, 0L, 0L);
    }

    private List<byte[]> read(JdbcTemplate jdbc) {
        return jdbc.query(names.in(RecordStatements.READ), (row, number) -> row.getBytes("result"), keyId, SCOPE);
    }
}
