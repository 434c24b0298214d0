package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.Client.Answer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Which answers are the result of an operation: those of its handler, unless they say something else. */
public abstract class HandlerAnswersContract {

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    protected HandlerAnswersContract(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
    }

    private Answer post(String path, String... headers) {
        return client.post(path, key, request -> headers.length == 0 ? request : request.headers(headers));
    }

    @Test
    void aRedirectToTheLoginIsNotTheHandlersAnswer() {
        Answer login = post("/answers/account", "X-Anonymous", "yes");
        Answer answer = post("/answers/account");

        assertThat(login.status()).isEqualTo(302);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.replayed()).isFalse();
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/functional/filtered/ok", "/functional/filtered/nested/ok", "/functional/own"})
    void anAnswerOfAFilterOfARouterIsNotItsFunctions(String path) {
        Answer login = post(path, "X-Login", "first");
        Answer answer = post(path);

        assertThat(login.status()).isEqualTo(302);
        assertThat(answer.body()).isEqualTo("ok");
        assertThat(answer.replayed()).isFalse();
        assertThat(post(path).replayed()).isTrue();
    }

    /** Envelopes with the status 200 around "please log in" and "not a number", which any client may ask for. */
    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void onlyAFilterIsSaidToAnswerInPlaceOfAHandler(CapturedOutput output) {
        String said = "was answered with 200 before a handler was called";

        assertThat(post("/functional/filtered/ok", "X-Login", "200").status()).isEqualTo(200);
        assertThat(post("/answers/number-of-my-own?n=many", "X-Envelope", "200").status())
                .isEqualTo(200);
        assertThat(output).doesNotContain(said);

        assertThat(post("/answers/account", "X-Anonymous", "200").status()).isEqualTo(200);
        assertThat(output).contains(said);
    }

    @ParameterizedTest
    @CsvSource({
        "/answers/nowhere, 404",
        "/answers/for-get, 405",
        "/answers/number?n=many, 400",
        "/answers/number-of-my-own?n=many, 400",
        "/answers/resolved, 418",
        "/answers/model/attribute, 418"
    })
    void anAnswerBeforeTheHandlerIsCalledFreesTheKey(String path, int status) {
        Answer first = post(path);
        Answer second = post(path);

        assertThat(first.status()).isEqualTo(second.status()).isEqualTo(status);
        assertThat(second.replayed()).isFalse();
        assertThat(runs.of(key)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "/answers/throws, 418",
        "/answers/throws/without/arguments, 418",
        "/answers/status/301, 301",
        "/answers/status/302, 302",
        "/answers/status/303, 303",
        "/answers/status/404, 404",
        "/answers/status/405, 405",
        "/answers/void, 200",
        "/functional/ok, 200",
        "/functional/404, 404"
    })
    void anAnswerOfTheHandlerIsReplayed(String path, int status) {
        Answer first = post(path);
        Answer second = post(path);

        assertThat(first.status()).isEqualTo(second.status()).isEqualTo(status);
        assertThat(second.replayed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/answers/status/307", "/answers/status/308", "/functional/307"})
    void aRequestThatIsToBeSentElsewhereFreesItsKey(String path) {
        post(path);

        assertThat(post(path).replayed()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/answers/status/307", "/answers/status/308", "/functional/307", "/answers/nowhere"})
    void theRequestThatIsSentElsewhereRunsThereWithTheSameKey(String path) {
        post(path);

        assertThat(post("/answers/void").status()).isEqualTo(200);
        assertThat(post("/answers/void").replayed()).isTrue();
    }

    @Test
    void theKeyOfAHandlerThatFailedIsOfNoOtherRequest() {
        post("/answers/status/500");

        assertThat(post("/answers/void").status()).isEqualTo(422);
    }

    @Test
    void aFilterInFrontChangesTheBodyOfAReplayToo() {
        Answer first = post("/answers/list", "X-Prefix", ")]}'");
        Answer second = post("/answers/list", "X-Prefix", ")]}'");

        assertThat(first.body()).isEqualTo(second.body()).isEqualTo(")]}'[{\"run\":1}]");
        assertThat(second.replayed()).isTrue();
    }

    @Test
    void aRouteThatStoresEverythingStoresTemporaryRedirectsToo() {
        post("/everything/307");

        assertThat(post("/everything/307").replayed()).isTrue();
    }

    @Test
    void aRangeIsHiddenFromTheHandlerOfARequestOtherThanGet() {
        Answer first = post("/answers/resource", "Range", "bytes=0-1", "If-Range", "\"v1\"");
        Answer second = post("/answers/resource");

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.body()).isEqualTo("the whole resource");
        assertThat(second.replayed()).isTrue();
        assertThat(second.body()).isEqualTo("the whole resource");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "x-gzip", "deflate", "bare-deflate"})
    void aCodedAnswerIsDecodedForARetryThatDoesNotAcceptItsCoding(String coding) {
        Answer first = post("/answers/coded/" + coding, "Accept-Encoding", "gzip, deflate");
        Answer same = post("/answers/coded/" + coding, "Accept-Encoding", "gzip;q=0.5, deflate");
        Answer plain = post("/answers/coded/" + coding);
        Answer refused = post("/answers/coded/" + coding, "Accept-Encoding", "gzip;q=0, deflate;q=0.0, *");

        assertThat(same.bytes()).isEqualTo(first.bytes());
        assertThat(same.header("Content-Encoding")).isEqualTo(first.header("Content-Encoding"));
        assertThat(same.header("ETag")).isEqualTo("\"v1\"");
        assertThat(plain.replayed()).isTrue();
        assertThat(plain.body()).isEqualTo("a".repeat(2000));
        assertThat(plain.header("Content-Encoding")).isEmpty();
        assertThat(plain.header("Content-Digest")).isEmpty();
        assertThat(plain.header("ETag")).isEqualTo("W/\"v1\"");
        assertThat(refused.bytes()).isEqualTo(plain.bytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"br", "gzip-of-much", "broken-gzip"})
    void aCodedAnswerThatCannotBeDecodedIsReplayedWithoutItsBody(String coding) {
        post("/answers/coded/" + coding, "Accept-Encoding", "br, gzip");
        Answer plain = post("/answers/coded/" + coding);

        assertThat(plain.status()).isEqualTo(200);
        assertThat(plain.replayed()).isTrue();
        assertThat(plain.header("Idempotency-Body-Omitted")).isEqualTo("true");
        assertThat(plain.bytes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/answers/envelope/by-policy", "/answers/envelope/by-call", "/answers/envelope/by-header"})
    void anEnvelopeThatTellsAFailureFreesTheKey(String path) {
        Answer first = post(path);
        Answer second = post(path);

        assertThat(first.status()).isEqualTo(second.status()).isEqualTo(200);
        assertThat(second.replayed()).isFalse();
        assertThat(runs.of(key)).isEqualTo(2);
    }

    @Test
    void anEnvelopeThatTellsNoFailureIsReplayed() {
        post("/answers/envelope/success");

        assertThat(post("/answers/envelope/success").replayed()).isTrue();
    }

    @Test
    void anAnswerIsKeptIfThePolicyFailsThatIsAskedAboutIt() {
        Answer first = post("/answers/status/" + AnswersPolicy.FAILING);
        Answer second = post("/answers/status/" + AnswersPolicy.FAILING);

        assertThat(first.status()).isEqualTo(second.status()).isEqualTo(AnswersPolicy.FAILING);
        assertThat(second.replayed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/answers/getter", "/answers/later/getter", "/functional/getter"})
    void workIsNotDoneAgainWhenItsAnswerCannotBeWritten(String path) {
        Answer first = post(path);
        Answer second = post(path);

        assertThat(first.status()).isEqualTo(500);
        assertThat(second.status()).isEqualTo(409);
        assertThat(second.body()).contains("answer-not-kept");
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void workIsNotDoneAgainWhenNoConverterWritesItsAnswer() {
        Answer first = post("/answers/getter", "Accept", "text/csv");
        Answer second = post("/answers/getter");

        assertThat(first.status()).isEqualTo(406);
        assertThat(second.status()).isEqualTo(409);
        assertThat(runs.of(key)).isEqualTo(1);
    }

    /** The handler says 503 or 429, and its answer fails: a getter, no converter, a filter of its router. */
    @ParameterizedTest
    @CsvSource({
        "/answers/refused, */*, 500, 2",
        "/answers/refused, text/csv, 406, 2",
        "/answers/refused/by-annotation, */*, 500, 2",
        "/answers/refused/by-response, */*, 500, 2",
        "/answers/later/refused, */*, 500, 2",
        "/functional/refused, */*, 500, 2",
        "/functional/refused/filtered, */*, 500, 2",
        "/functional/refused/called-again, */*, 500, 4"
    })
    void workThatItsOwnUnwrittenAnswerCallsFailedIsDoneAgain(String path, String accept, int status, int times) {
        assertThat(post(path, "Accept", accept).status()).isEqualTo(status);

        Answer second = post(path);
        assertThat(second.replayed()).isFalse();
        assertThat(second.body()).doesNotContain("urn:idem:problem");
        assertThat(runs.of(key)).isEqualTo(times);
    }

    /** The first call says 503, and that of the filter of its router 200 without an answer that can be written. */
    @Test
    void workThatWasDoneTheSecondTimeIsNotDoneAgain() {
        assertThat(post("/functional/second/called-again").status()).isEqualTo(500);
        assertThat(post("/functional/second/called-again").body()).contains("answer-not-kept");
        assertThat(runs.of(key)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/answers/later/fails", "/answers/fails"})
    void workThatFailedIsDoneAgain(String path) {
        assertThat(post(path).status()).isEqualTo(500);
        assertThat(post(path).status()).isEqualTo(500);
        assertThat(runs.of(key)).isEqualTo(2);
    }

    @Test
    void workIsNotDoneAgainWhenAFilterOfItsRouterAnswersAnError() {
        assertThat(post("/functional/overruled").status()).isEqualTo(503);
        assertThat(post("/functional/overruled").body()).contains("answer-not-kept");
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void theAnswerOfAHandlerThatAFilterBehindCalledAgainIsReplayed() {
        assertThat(post("/functional/called-again").status()).isEqualTo(303);
        assertThat(post("/functional/called-again").replayed()).isTrue();
        assertThat(runs.of(key)).isEqualTo(2);
    }
}
