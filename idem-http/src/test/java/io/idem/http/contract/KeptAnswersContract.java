package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.http.contract.Client.Answer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Answers on their way into the record: encrypted, compressed, kept elsewhere and limited, with the settings of {@code kept.yml}. */
public abstract class KeptAnswersContract {

    public static final String SETTINGS = "spring.config.import=classpath:kept.yml";

    private final Client client;
    private final Runs runs;
    private final FaultyStore store;
    private final String key = Client.newKey();

    protected KeptAnswersContract(App shop) {
        this.client = shop.client();
        this.runs = shop.bean(Runs.class);
        this.store = shop.bean(FaultyStore.class);
    }

    private StoredResult kept() {
        RecordId record = new RecordId(IdempotencyKey.of(key), new Scope("http.shop"));
        return store.inspect(record).orElseThrow().result();
    }

    @Test
    void anAnswerIsReplayedByteForByteAndShowsNothingInItsRecord() {
        Answer first = client.post("/orders/large?size=15000", key);
        Answer second = client.post("/orders/large?size=15000", key);

        assertThat(second.bytes()).isEqualTo(first.bytes()).hasSize(15_000);
        assertThat(second.replayed()).isTrue();
        assertThat(kept().size()).isLessThan(1000);
        assertThat(new String(kept().content(), StandardCharsets.ISO_8859_1)).doesNotContain("xxxx", "http.1");
    }

    @Test
    void anAnswerThatIsTooLargeForItsRecordKeepsStatusAndHeaders() {
        Answer first = client.post("/orders/large?size=30000", key);
        Answer second = client.post("/orders/large?size=30000", key);

        assertThat(first.bytes()).hasSize(30_000);
        assertThat(second.status()).isEqualTo(first.status());
        assertThat(second.replayed()).isTrue();
        assertThat(second.header("Idempotency-Body-Omitted")).isEqualTo("true");
        assertThat(second.bytes()).isEmpty();
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aLargeAnswerIsKeptOutsideItsRecord() {
        Answer first = client.post("/orders/noise?size=5000", key);
        Answer second = client.post("/orders/noise?size=5000", key);

        assertThat(second.bytes()).isEqualTo(first.bytes()).hasSize(5000);
        assertThat(second.replayed()).isTrue();
        assertThat(kept().size()).isLessThan(1000);
        assertThat(runs.of(key)).isEqualTo(1);
    }
}
