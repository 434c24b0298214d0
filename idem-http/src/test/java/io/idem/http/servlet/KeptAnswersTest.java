package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyKey;
import io.idem.Scope;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.FaultyStore;
import io.idem.http.contract.Runs;
import io.idem.spi.RecordId;
import io.idem.spi.StoredResult;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Answers on their way into the record: encrypted, compressed, and limited. */
@AppTest(
        value = Shop.class,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.max-response-body=64KB",
            "idem.http.routes[0].path=/orders/**",
            "idem.result.max-size=20KB",
            "idem.result.encryption.key=a",
            "idem.result.encryption.keys.a=AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
        })
class KeptAnswersTest {

    private final Client client;
    private final Runs runs;
    private final FaultyStore store;
    private final String key = Client.newKey();

    KeptAnswersTest(App shop) {
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
}
