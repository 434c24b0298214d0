package io.idem.internal.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.IdempotencyKey;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.ResultCodecException;
import io.idem.ResultLoss;
import io.idem.Scope;
import io.idem.StoreUnavailableException;
import io.idem.StoredResult;
import io.idem.internal.Frame;
import io.idem.result.Leases;
import io.idem.result.ResultKey;
import io.idem.result.ResultKeyProvider;
import io.idem.result.ResultLimits;
import io.idem.result.ResultLimits.TooLarge;
import io.idem.result.ResultStorage;
import io.idem.result.ResultStorageException;
import io.idem.spi.ResultPipeline.Handled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.zip.DeflaterOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LayeredResultsTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final int ABOVE = 100;
    private static final StoredResult SHORT = Leases.text("s");

    private final RecordId record = Leases.record("acme", "k-1", "payments");
    private final Lease lease = Leases.of(record, 7);
    private final MapStorage storage = new MapStorage();
    private final TenantKeys keys = new TenantKeys();
    private final Offload offload = new Offload(storage, ABOVE, Duration.ofHours(1), InstantSource.fixed(NOW));
    private final LayeredResults plain = results(null, null);
    private final LayeredResults encrypting = results(keys, null);
    private final LayeredResults everything = results(keys, offload);

    private static LayeredResults results(@Nullable ResultKeyProvider keys, @Nullable Offload offload) {
        return new LayeredResults(new ResultLimits(10_000, TooLarge.OMIT, ABOVE), keys, keys != null, offload);
    }

    /** Objects in a map. */
    private static final class MapStorage implements ResultStorage {

        private final Map<String, byte[]> objects = new HashMap<>();
        private boolean away;

        @Override
        public void put(String name, byte[] content) {
            check();
            objects.put(name, content);
        }

        @Override
        public Optional<byte[]> get(String name) {
            check();
            return Optional.ofNullable(objects.get(name));
        }

        @Override
        public void delete(String name) {
            check();
            objects.remove(name);
        }

        private void check() {
            if (away) {
                throw new ResultStorageException("away");
            }
        }
    }

    /** One key per tenant, to be destroyed. */
    private static final class TenantKeys implements ResultKeyProvider {

        private final Map<String, ResultKey> byTenant = new HashMap<>();
        private boolean away;

        @Override
        public ResultKey current(RecordId record) {
            if (away) {
                throw new IllegalStateException("the key service is away");
            }
            return byTenant.computeIfAbsent(record.key().tenant(), TenantKeys::random);
        }

        private static ResultKey random(String tenant) {
            byte[] key = new byte[32];
            new Random().nextBytes(key);
            return ResultKey.of(tenant + ".1", key);
        }

        @Override
        public Optional<ResultKey> find(RecordId record, String id) {
            if (away) {
                throw new IllegalStateException("the key service is away");
            }
            return Optional.ofNullable(byTenant.get(record.key().tenant()))
                    .filter(key -> key.id().equals(id));
        }
    }

    @Test
    void theObjectOfAnErasedResultIsRemoved() {
        StoredResult kept = everything.pack(lease, incompressible(1000), SHORT).result();
        assertThat(storage.objects).hasSize(1);
        Consumer<StoredResult> offloaded = Offload.removing(storage);

        offloaded.accept(StoredResult.OMITTED);
        offloaded.accept(SHORT);
        assertThat(storage.objects).hasSize(1);

        offloaded.accept(kept);
        assertThat(storage.objects).isEmpty();
    }

    private static StoredResult compressible(int size) {
        return Leases.text("x".repeat(size));
    }

    private static StoredResult incompressible(int size) {
        byte[] content = new byte[size];
        new Random(1).nextBytes(content);
        return StoredResult.of("bytes", content);
    }

    private StoredResult kept(LayeredResults results, StoredResult result) {
        Handled packed = results.pack(lease, result, SHORT);
        assertThat(packed.loss()).isEmpty();
        return packed.result();
    }

    @Test
    void smallResultsAreKeptAsTheyAre() {
        assertThat(kept(plain, compressible(ABOVE))).isEqualTo(compressible(ABOVE));
    }

    @Test
    void resultsAboveTheThresholdAreCompressedAndComeBack() {
        StoredResult kept = kept(plain, compressible(5000));

        assertThat(kept.size()).isLessThan(200);
        assertThat(plain.unpack(record, kept)).isEqualTo(Handled.whole(compressible(5000)));
    }

    @Test
    void whatDoesNotBecomeSmallerStaysAsItIs() {
        assertThat(kept(plain, incompressible(500))).isEqualTo(incompressible(500));
    }

    @Test
    void everythingTogetherComesBack() {
        StoredResult kept = kept(everything, incompressible(5000));

        assertThat(kept.size()).isLessThan(300);
        assertThat(storage.objects).hasSize(1);
        assertThat(everything.unpack(record, kept)).isEqualTo(Handled.whole(incompressible(5000)));
    }

    @Test
    void nothingAndOmittedStayWhatTheyAre() {
        assertThat(kept(everything, StoredResult.NONE)).isEqualTo(StoredResult.NONE);
        assertThat(kept(everything, StoredResult.OMITTED)).isEqualTo(StoredResult.OMITTED);
        assertThat(everything.unpack(record, StoredResult.NONE)).isEqualTo(Handled.whole(StoredResult.NONE));
        assertThat(everything.unpack(record, StoredResult.OMITTED)).isEqualTo(Handled.whole(StoredResult.OMITTED));
    }

    @Test
    void aTooLargeResultIsOmittedAndItsShortFormKept() {
        Handled packed = everything.pack(lease, compressible(10_001), SHORT);

        assertThat(packed.loss()).contains(ResultLoss.TOO_LARGE);
        assertThat(everything.unpack(record, packed.result())).isEqualTo(Handled.whole(SHORT));
        assertThat(storage.objects).isEmpty();
    }

    @Test
    void aTooLargeResultFailsIfTheSettingSaysSo() {
        LayeredResults strict = new LayeredResults(new ResultLimits(1000, TooLarge.FAIL, ABOVE), null, false, null);

        assertThatThrownBy(() -> strict.pack(lease, compressible(1001), SHORT))
                .isInstanceOf(ResultCodecException.class)
                .hasMessageContainingAll("1001 bytes", "idem.result.max-size is 1000", "ResultLimits");
    }

    @Test
    void compressedBytesThatWouldFillTheMemoryAreNotInflated() throws IOException {
        ByteArrayOutputStream bomb = new ByteArrayOutputStream();
        try (DeflaterOutputStream out = new DeflaterOutputStream(bomb)) {
            byte[] block = new byte[1 << 20];
            for (int i = 0; i < 20; i++) {
                out.write(block);
            }
        }
        StoredResult kept = StoredResult.of(Deflation.CODEC, bomb.toByteArray());

        assertThat(plain.unpack(record, kept).loss()).contains(ResultLoss.UNREADABLE);
    }

    @Test
    void layersInLayersWithoutEndAreNotFollowed() {
        Deflation layer = new Deflation(0, 1 << 20);
        StoredResult nested = compressible(500);
        for (int i = 0; i < 50; i++) {
            byte[] frame = Frame.of(nested);
            nested = StoredResult.of(Deflation.CODEC, stored(frame));
        }

        assertThat(layer.unwrap(record, nested).loss()).isEmpty();
        assertThat(everything.unpack(record, nested).loss()).contains(ResultLoss.UNREADABLE);
    }

    private static byte[] stored(byte[] frame) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(out)) {
            deflater.write(frame);
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
        return out.toByteArray();
    }

    @Test
    void encryptedResultsShowNothing() {
        StoredResult kept = kept(encrypting, Leases.text("confidential"));

        assertThat(new String(kept.content(), StandardCharsets.ISO_8859_1)).doesNotContain("confidential", "text");
        assertThat(kept(encrypting, Leases.text("confidential"))).isNotEqualTo(kept);
        assertThat(encrypting.unpack(record, kept)).isEqualTo(Handled.whole(Leases.text("confidential")));
    }

    @Test
    void anEncryptedResultCannotBeMovedToAnotherRecord() {
        StoredResult kept = kept(encrypting, Leases.text("confidential"));

        for (RecordId other :
                List.of(Leases.record("acme", "k-2", "payments"), Leases.record("acme", "k-1", "shipments"))) {
            assertThat(encrypting.unpack(other, kept).loss()).contains(ResultLoss.UNREADABLE);
        }
    }

    @Test
    void anEncryptedResultIsReadUnderTheKeyThatEarlierVersionsReadOtherwise() {
        StoredResult kept = kept(encrypting, Leases.text("confidential"));
        IdempotencyKey decoded = new IdempotencyKey("acme", "decoded").formerly(record.key());

        assertThat(encrypting.unpack(new RecordId(decoded, record.scope()), kept))
                .isEqualTo(Handled.whole(Leases.text("confidential")));
        assertThat(encrypting
                        .unpack(new RecordId(decoded, new Scope("shipments")), kept)
                        .loss())
                .contains(ResultLoss.UNREADABLE);
    }

    @Test
    void anEncryptedResultThatWasChangedIsNotRead() {
        StoredResult kept = kept(encrypting, Leases.text("amount=100"));
        byte[] changed = kept.content();
        changed[changed.length - 20] ^= 1;

        assertThat(encrypting
                        .unpack(record, StoredResult.of(kept.codec(), changed))
                        .loss())
                .contains(ResultLoss.UNREADABLE);
    }

    @Test
    void resultsOfAnEarlierKeyStayReadableAfterARotation() {
        byte[] first = new byte[32];
        byte[] second = new byte[32];
        second[0] = 1;
        List<ResultKey> both = List.of(ResultKey.of("first", first), ResultKey.of("second", second));
        StoredResult before = kept(results(new ConfiguredKeys(List.of(both.get(0)), "first"), null), Leases.text("a"));
        LayeredResults rotated = results(new ConfiguredKeys(both, "second"), null);

        assertThat(rotated.unpack(record, before)).isEqualTo(Handled.whole(Leases.text("a")));
        assertThat(new String(kept(rotated, Leases.text("b")).content(), StandardCharsets.ISO_8859_1))
                .contains("second");
    }

    @Test
    void aPlainResultIsNotReplayedWhereResultsAreEncrypted() {
        for (StoredResult forged : List.of(
                Leases.text("forged"),
                StoredResult.of("text", new byte[0]),
                kept(plain, compressible(5000)),
                kept(results(null, offload), incompressible(500)))) {
            assertThat(everything.unpack(record, forged))
                    .isEqualTo(Handled.without(ResultLoss.NOT_ENCRYPTED, StoredResult.OMITTED));
        }
    }

    @Test
    void theShortFormOfAnOffloadedResultMustBeEncryptedToo() {
        LayeredResults unencrypted = results(null, offload);
        StoredResult forged = kept(unencrypted, incompressible(500));
        storage.objects.clear();

        assertThat(unencrypted.unpack(record, forged)).isEqualTo(Handled.without(ResultLoss.GONE, SHORT));
        assertThat(everything.unpack(record, forged).result()).isEqualTo(StoredResult.OMITTED);
    }

    @Test
    void plainResultsStayReadableForWhoAcceptsThem() {
        LayeredResults accepting =
                new LayeredResults(new ResultLimits(10_000, TooLarge.OMIT, ABOVE), keys, false, offload);

        assertThat(accepting.unpack(record, kept(plain, compressible(5000))))
                .isEqualTo(Handled.whole(compressible(5000)));
        assertThat(accepting.unpack(record, kept(accepting, Leases.text("a"))))
                .isEqualTo(Handled.whole(Leases.text("a")));
        assertThat(kept(accepting, Leases.text("a")).codec()).isEqualTo(Encryption.CODEC);
    }

    @Test
    void anEmptyResultIsEncryptedLikeEveryOther() {
        StoredResult empty = StoredResult.of("text", new byte[0]);
        StoredResult kept = kept(encrypting, empty);

        assertThat(kept.codec()).isEqualTo(Encryption.CODEC);
        assertThat(encrypting.unpack(record, kept)).isEqualTo(Handled.whole(empty));
    }

    @Test
    void destroyingATenantsKeyErasesItsResultsAndNobodyElses() {
        RecordId theirs = Leases.record("other", "k-1", "payments");
        StoredResult mine = kept(everything, incompressible(5000));
        StoredResult their = everything
                .pack(Leases.of(theirs, 8), incompressible(5000), SHORT)
                .result();

        keys.byTenant.remove("acme");

        assertThat(everything.unpack(record, mine))
                .isEqualTo(Handled.without(ResultLoss.KEY_GONE, StoredResult.OMITTED));
        assertThat(everything.unpack(theirs, their)).isEqualTo(Handled.whole(incompressible(5000)));
    }

    @Test
    void aKeyServiceThatIsAwayRefusesReplaysAndLeavesNothingPlain() {
        StoredResult kept = kept(encrypting, Leases.text("a"));
        keys.away = true;

        assertThatThrownBy(() -> encrypting.unpack(record, kept)).isInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(() -> encrypting.pack(lease, Leases.text("a"), SHORT))
                .hasMessageContaining("away");
        assertThat(encrypting.packShortened(lease, SHORT)).isEqualTo(StoredResult.OMITTED);
    }

    @Test
    void objectsAreNamedByRecordGrantAndContentAndSayWhenTheyMayGo() {
        kept(everything, incompressible(5000));
        everything.pack(Leases.of(record, 8), incompressible(5000), SHORT);

        long expiry = NOW.plus(Leases.RETENTION).plus(Duration.ofHours(1)).getEpochSecond();
        String id = record.key().id();
        String folder = "payments/" + id.substring(0, 2) + "/";
        assertThat(storage.objects.keySet())
                .hasSize(2)
                .allMatch(name -> name.startsWith(folder + id) && name.endsWith("-" + expiry))
                .anyMatch(name -> name.startsWith(folder + id + ".7."))
                .anyMatch(name -> name.startsWith(folder + id + ".8."));
    }

    @Test
    void attemptsWhoseFencesRepeatDoNotOverwriteEachOther() {
        LayeredResults unencrypted = results(null, offload);
        StoredResult first = kept(unencrypted, incompressible(5000));
        StoredResult second = kept(unencrypted, incompressible(5001));

        assertThat(unencrypted.unpack(record, first)).isEqualTo(Handled.whole(incompressible(5000)));
        assertThat(unencrypted.unpack(record, second)).isEqualTo(Handled.whole(incompressible(5001)));
    }

    @Test
    void anObjectThatIsGoneIsAnsweredByTheShortForm() {
        StoredResult kept = kept(everything, incompressible(5000));
        storage.objects.clear();

        assertThat(everything.unpack(record, kept)).isEqualTo(Handled.without(ResultLoss.GONE, SHORT));
    }

    @Test
    void anObjectThatWasReplacedIsAnsweredByTheShortForm() {
        LayeredResults unencrypted = results(null, offload);
        StoredResult kept = kept(unencrypted, incompressible(5000));
        storage.objects.replaceAll((name, object) -> Frame.of(Leases.text("forged")));

        assertThat(unencrypted.unpack(record, kept)).isEqualTo(Handled.without(ResultLoss.GONE, SHORT));
    }

    @Test
    void aStorageThatIsAwayFailsTheStoringAndRefusesTheReplay() {
        StoredResult kept = kept(everything, incompressible(5000));
        storage.away = true;

        assertThatThrownBy(() -> everything.pack(lease, incompressible(5000), SHORT))
                .isInstanceOf(ResultStorageException.class);
        assertThatThrownBy(() -> everything.unpack(record, kept)).isInstanceOf(StoreUnavailableException.class);
        assertThat(everything.unpack(record, everything.packShortened(lease, SHORT)))
                .isEqualTo(Handled.whole(SHORT));
    }

    @Test
    void aNameThatLeavesTheStorageIsNotAskedFor() {
        StoredResult kept = kept(everything, incompressible(5000));
        byte[] content = kept.content();
        byte[] evil = "../../../../etc/passwd".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(evil, 0, content, 1, evil.length);
        storage.away = true;

        assertThat(everything
                        .unpack(record, StoredResult.of(kept.codec(), content))
                        .loss())
                .contains(ResultLoss.GONE);
    }

    @Test
    void whatIsNotConfiguredHereOrComesFromANewerVersionIsUnreadable() {
        StoredResult encrypted = kept(encrypting, Leases.text("a"));
        StoredResult newer = StoredResult.of("idem.of-tomorrow", new byte[] {1});

        assertThat(plain.unpack(record, encrypted)).isEqualTo(Handled.without(ResultLoss.UNREADABLE, encrypted));
        assertThat(everything.unpack(record, newer)).isEqualTo(Handled.without(ResultLoss.UNREADABLE, newer));
    }

    @Test
    void damagedLayersAreUnreadableAndNeverAnException() {
        for (String codec : List.of(Deflation.CODEC, Encryption.CODEC, Offload.CODEC)) {
            for (byte[] damaged : List.of(new byte[0], new byte[] {1}, new byte[] {(byte) 200, 1, 2}, new byte[60])) {
                Optional<ResultLoss> loss = everything
                        .unpack(record, StoredResult.of(codec, damaged))
                        .loss();
                assertThat(loss).as(codec).isPresent();
            }
        }
    }

    @Test
    void keysNeverShowThemselves() {
        ResultKey key = keys.current(record);

        assertThat(key).hasToString("key acme.1");
        assertThat(nullSafe(ResultKey.of("x", new byte[32]))).doesNotContain("AAAA");
    }

    private static String nullSafe(@Nullable Object value) {
        return String.valueOf(value);
    }
}
