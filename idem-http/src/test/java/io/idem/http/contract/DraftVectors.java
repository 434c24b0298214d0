package io.idem.http.contract;

import static io.idem.http.contract.ConformanceTarget.quoted;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyKey;
import io.idem.http.contract.Client.Answer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * What draft-ietf-httpapi-idempotency-key-header-07, and RFC 9651 for the syntax of the field, require of a server. Numbers are those of
 * the draft's sections.
 */
final class DraftVectors {

    private static final int LONGEST_STRING = IdempotencyKey.MAX_LENGTH;

    private DraftVectors() {}

    static List<ConformanceVector> all() {
        return List.of(
                ConformanceVector.of(
                        "1 post-and-patch", "POST and PATCH run once for a key", DraftVectors::postAndPatch),
                ConformanceVector.of("2.1 string", "A String (RFC 9651) is the key", DraftVectors::string),
                ConformanceVector.of(
                        "2.1 escapes",
                        "`\\\"` and `\\\\` in a String are read as `\"` and `\\`",
                        DraftVectors::escapes),
                ConformanceVector.of(
                        "2.1 malformed",
                        "A value that begins as a String and is none is no key: 400, and nothing runs",
                        DraftVectors::malformed),
                ConformanceVector.of(
                        "2.1 two-strings",
                        "Two different Strings, in one line or in two, are no Item: 400, and nothing runs",
                        DraftVectors::twoStrings),
                ConformanceVector.of(
                                "2.1 one-string-twice",
                                "One String in two lines is no Item: 400, and nothing runs",
                                DraftVectors::oneStringTwiceIsRefused)
                        .otherwise(
                                "it is one key, for it leaves no doubt which operation is meant",
                                DraftVectors::oneStringTwiceIsOneKey),
                ConformanceVector.of(
                                "2.1 no-string",
                                "A Token or an Integer is no String: 400, and nothing runs",
                                DraftVectors::noStringIsRefused)
                        .otherwise(
                                "it is the key, as if it were quoted; the APIs in use take keys without quotes",
                                DraftVectors::noStringIsTheQuotedKey),
                ConformanceVector.of(
                                "2.1 parameters",
                                "Parameters of the Item, of which the draft defines none, are ignored",
                                DraftVectors::parametersAreIgnored)
                        .otherwise(
                                "400, for the sender means something by them that idem would not do",
                                target -> assertRefused(target, quoted(target.key()) + ";a=1")),
                ConformanceVector.of(
                                "2.1 empty-string",
                                "The empty String is a String, and so a key",
                                target -> assertRunsOnce(target, "\"\""))
                        .otherwise(
                                "400, for operations whose clients forgot the key would share it",
                                target -> assertRefused(target, "\"\"")),
                ConformanceVector.of(
                                "2.1 long-string",
                                "A String of 1024 characters is read (RFC 9651, 3.3.3)",
                                target -> assertRunsOnce(target, longKey(target)))
                        .otherwise(
                                "400 by default, for a key is no payload; `max-key-length` allows 1024",
                                DraftVectors::longStringsAreReadWhereTheyAreAllowed),
                ConformanceVector.of(
                        "2.2 examples", "UUIDs and random strings, as in section 6, are keys", DraftVectors::examples),
                ConformanceVector.of(
                        "2.3 expiry",
                        "The time for which a key is kept is published, and the key is kept that long",
                        DraftVectors::publishedExpiry),
                ConformanceVector.of(
                        "2.4 whole-payload",
                        "The fingerprint may be that of the whole payload: one more blank is another request",
                        DraftVectors::wholePayload),
                ConformanceVector.of(
                        "2.4 selected-elements",
                        "The fingerprint may be that of selected elements: others may differ",
                        DraftVectors::selectedElements),
                ConformanceVector.of(
                        "2.5.1 voluntary-key",
                        "A client may send a key where none is required; it is then respected",
                        DraftVectors::voluntaryKey),
                ConformanceVector.of(
                        "2.5.2 specification",
                        "What the server requires is published: refusals lead to a page that it serves",
                        DraftVectors::specification),
                ConformanceVector.of(
                        "2.6 first",
                        "The first request with a key is answered as it would be without protection",
                        DraftVectors::first),
                ConformanceVector.of(
                        "2.6 retry-success",
                        "A retry of a request that succeeded gets its result: status, headers, body",
                        DraftVectors::retryOfASuccess),
                ConformanceVector.of(
                        "2.6 retry-error",
                        "A retry of a request that ended with an error of its own (400, 404, 410, 422) gets that error",
                        target -> assertResultIsGivenAgain(target, 400, 404, 410, 422)),
                ConformanceVector.of(
                                "2.6 retry-passing-error",
                                "A retry gets the error of the first request also where it was 401, 409 or 429",
                                target -> assertResultIsGivenAgain(target, 401, 409, 429))
                        .otherwise(
                                "the key is free and the retry runs, for such errors pass; `store` may keep them",
                                target -> assertRetryRuns(target, 401, 409, 429)),
                ConformanceVector.of(
                                "2.6 retry-server-error",
                                "A retry gets the error of the first request also where it was 500 or 503",
                                target -> assertResultIsGivenAgain(target, 500, 503))
                        .otherwise(
                                "the key is free and the retry runs, or no retry could succeed; `store` may keep them",
                                target -> assertRetryRuns(target, 500, 503)),
                ConformanceVector.of(
                                "2.6 retry-large",
                                "A retry gets the result also where it is large (1 MiB)",
                                DraftVectors::largeResultIsGivenAgain)
                        .otherwise(
                                "its body is not kept above `max-response-body`; the retry gets status and headers, and is told",
                                DraftVectors::largeBodyIsOmitted),
                ConformanceVector.of(
                        "2.6 concurrent",
                        "A retry of a request that still runs gets a conflict, and the handler runs once",
                        DraftVectors::concurrent),
                ConformanceVector.of(
                        "2.7 missing",
                        "400 where a required key is missing: problem detail, `Link` to its documentation",
                        DraftVectors::missing),
                ConformanceVector.of(
                        "2.7 reused",
                        "422 where a key is reused for another payload: problem detail, `Link` to its documentation",
                        DraftVectors::reused),
                ConformanceVector.of(
                        "2.7 reused-while-running",
                        "422 also while the first request still runs",
                        DraftVectors::reusedWhileTheFirstRuns),
                ConformanceVector.of(
                        "2.7 outstanding",
                        "409 while the first request still runs: problem detail, `Link` to its documentation",
                        DraftVectors::outstanding),
                ConformanceVector.of(
                                "2.7 link-in-the-body",
                                "The body of 400 and 422 contains a link to documentation",
                                DraftVectors::theBodyHasALink)
                        .otherwise(
                                "`type` is a URN, which stays when pages move; the link is in `Link`, as the draft allows",
                                DraftVectors::theTypeIsAUrnAndTheHeaderHasTheLink),
                ConformanceVector.of(
                        "2.7 uncorrected",
                        "A request that is retried without correction is refused again",
                        DraftVectors::uncorrected),
                ConformanceVector.of(
                        "2.7 no-correction",
                        "After a 409 the same request, sent again later, gets the result",
                        DraftVectors::noCorrection),
                ConformanceVector.of(
                        "5 format",
                        "Keys of another form than the published one are refused before any look-up",
                        DraftVectors::format),
                ConformanceVector.of(
                        "5 injection",
                        "What means something to stores and logs is data in a key",
                        DraftVectors::injection),
                ConformanceVector.of(
                        "5 composite-key",
                        "One key of two clients is two operations, and neither gets the other's result",
                        DraftVectors::compositeKey));
    }

    private static void postAndPatch(ConformanceTarget target) {
        assertRunsOnce(target, quoted(target.key()));
        String other = quoted(target.key() + "-patch");
        Answer first = target.send(patch(target, other));
        Answer retry = target.send(patch(target, other));

        assertThat(first.status()).isEqualTo(201);
        assertSameResult(retry, first);
        assertThat(target.runs()).isEqualTo(2);
    }

    private static HttpRequest.Builder patch(ConformanceTarget target, String keyLine) {
        return target.request("/echo").header(Client.KEY, keyLine).method("PATCH", BodyPublishers.ofString("change"));
    }

    private static void string(ConformanceTarget target) {
        assertRunsOnce(target, quoted(target.key()));
        assertThat(target.wasAskedFor(target.key())).isTrue();
    }

    private static void escapes(ConformanceTarget target) {
        assertRunsOnce(target, quoted(target.key() + "\\\"a\\\\b"));
        assertThat(target.wasAskedFor(target.key() + "\"a\\b")).isTrue();
    }

    private static void malformed(ConformanceTarget target) {
        assertRefused(target, '"' + target.key());
        assertRefused(target, '"' + target.key() + "\\");
        assertRefused(target, '"' + target.key() + "\\n\"");
        assertRefused(target, quoted(target.key()) + "x");
        assertRefused(target, quoted(target.key()) + ' ' + quoted(target.key()));
    }

    private static void twoStrings(ConformanceTarget target) {
        String first = quoted(target.key() + "-1");
        String second = quoted(target.key() + "-2");

        assertRefused(target, first + ", " + second);
        assertRefused(target, target.send(twoLines(target, first, second)));
    }

    private static void oneStringTwiceIsRefused(ConformanceTarget target) {
        assertRefused(target, target.send(twoLines(target, quoted(target.key()), quoted(target.key()))));
    }

    private static void oneStringTwiceIsOneKey(ConformanceTarget target) {
        Answer first = target.send(twoLines(target, quoted(target.key()), quoted(target.key())));

        assertThat(first.status()).isEqualTo(201);
        assertSameResult(target.echo(quoted(target.key()), "body"), first);
        assertThat(target.runs()).isEqualTo(1);
    }

    private static HttpRequest.Builder twoLines(ConformanceTarget target, String first, String second) {
        return target.request("/echo")
                .header(Client.KEY, first)
                .header(Client.KEY, second)
                .POST(BodyPublishers.ofString("body"));
    }

    private static void noStringIsRefused(ConformanceTarget target) {
        assertRefused(target, token(target));
        assertRefused(target, integer(target));
    }

    private static void noStringIsTheQuotedKey(ConformanceTarget target) {
        for (String bare : List.of(token(target), integer(target))) {
            int before = target.runs();
            Answer first = target.echo(bare, "body");

            assertThat(first.status()).isEqualTo(201);
            assertSameResult(target.echo(bare, "body"), first);
            assertSameResult(target.echo(quoted(bare), "body"), first);
            assertThat(target.runs()).isEqualTo(before + 1);
        }
    }

    private static String token(ConformanceTarget target) {
        return "t" + target.key();
    }

    private static String integer(ConformanceTarget target) {
        return Integer.toString(target.key().hashCode() & Integer.MAX_VALUE);
    }

    private static void parametersAreIgnored(ConformanceTarget target) {
        Answer first = target.echo(quoted(target.key()) + ";a=1", "body");

        assertThat(first.status()).isEqualTo(201);
        assertSameResult(target.echo(quoted(target.key()), "body"), first);
        assertThat(target.runs()).isEqualTo(1);
    }

    private static void longStringsAreReadWhereTheyAreAllowed(ConformanceTarget target) {
        assertRefused(target, longKey(target));
        Answer first = target.post("/long-keys", longKey(target), "body");

        assertThat(first.status()).isEqualTo(201);
        assertSameResult(target.post("/long-keys", longKey(target), "body"), first);
        assertThat(target.runs()).isEqualTo(1);
    }

    private static String longKey(ConformanceTarget target) {
        return quoted(target.key() + "a".repeat(LONGEST_STRING - target.key().length()));
    }

    private static void examples(ConformanceTarget target) {
        assertRunsOnce(target, quoted(target.key()));
        String random = target.key().replace("-", "").replaceAll("[0-9]", "z");
        assertRunsOnce(target, quoted(random));
    }

    private static void publishedExpiry(ConformanceTarget target) {
        Answer first = target.echo(quoted(target.key()), "body");
        long seconds = Long.parseLong(first.header("Idempotency-Retention"));
        target.letTimePass(Duration.ofSeconds(seconds).minusMinutes(1));

        assertSameResult(target.echo(quoted(target.key()), "body"), first);
        assertThat(target.runs()).isEqualTo(1);
        target.letTimePass(Duration.ofMinutes(1).plusSeconds(1));
        assertThat(target.echo(quoted(target.key()), "body").status()).isEqualTo(201);
        assertThat(target.runs()).isEqualTo(2);
    }

    private static void wholePayload(ConformanceTarget target) {
        assertThat(target.echo(quoted(target.key()), "{\"a\":1}").status()).isEqualTo(201);
        assertThat(target.echo(quoted(target.key()), "{\"a\": 1}").status()).isEqualTo(422);
        assertThat(target.runs()).isEqualTo(1);
    }

    private static void selectedElements(ConformanceTarget target) {
        Answer first = target.send(selected(target, "{\"amount\":1,\"sentAt\":1}"));

        assertThat(first.status()).isEqualTo(201);
        assertSameResult(target.send(selected(target, "{\"amount\":1,\"sentAt\":2}")), first);
        assertThat(target.send(selected(target, "{\"amount\":2,\"sentAt\":1}")).status())
                .isEqualTo(422);
        assertThat(target.runs()).isEqualTo(1);
    }

    private static HttpRequest.Builder selected(ConformanceTarget target, String body) {
        return target.request("/selected")
                .setHeader("Content-Type", "application/json")
                .header(Client.KEY, quoted(target.key()))
                .POST(BodyPublishers.ofString(body));
    }

    private static void voluntaryKey(ConformanceTarget target) {
        Answer first = target.post("/optional", quoted(target.key()), "body");

        assertThat(first.status()).isEqualTo(201);
        assertSameResult(target.post("/optional", quoted(target.key()), "body"), first);
        assertThat(target.runs()).isEqualTo(1);
        for (int run = 2; run <= 3; run++) {
            assertThat(target.send(target.request("/optional").POST(BodyPublishers.ofString("body")))
                            .status())
                    .isEqualTo(201);
            assertThat(target.runs()).isEqualTo(run);
        }
    }

    private static void specification(ConformanceTarget target) {
        target.assertThatItIsExplained(target.echoWithoutKey("body"));
        target.assertThatItIsExplained(target.echo('"' + target.key(), "body"));
    }

    private static void first(ConformanceTarget target) {
        Answer plain = target.post("/unprotected", quoted(target.key()), "body");
        Answer first = target.echo(quoted(target.key()), "body");

        assertThat(first.status()).isEqualTo(plain.status()).isEqualTo(201);
        assertThat(first.bytes()).isEqualTo(plain.bytes());
        assertThat(first.header("Content-Type")).isEqualTo(plain.header("Content-Type"));
        assertThat(plain.header("Location")).isEqualTo("/runs/1");
        assertThat(first.header("Location")).isEqualTo("/runs/2");
        assertThat(target.runs()).isEqualTo(2);
    }

    private static void retryOfASuccess(ConformanceTarget target) {
        assertRunsOnce(target, quoted(target.key()));
    }

    private static void largeResultIsGivenAgain(ConformanceTarget target) {
        Answer first = large(target);

        assertThat(first.status()).isEqualTo(200);
        assertSameResult(large(target), first);
        assertThat(target.runs()).isEqualTo(1);
    }

    private static void largeBodyIsOmitted(ConformanceTarget target) {
        Answer first = large(target);
        Answer retry = large(target);

        assertThat(first.bytes()).hasSize(1 << 20);
        assertThat(retry.status()).isEqualTo(first.status()).isEqualTo(200);
        assertThat(retry.header("Location")).isEqualTo(first.header("Location")).isEqualTo("/runs/1");
        assertThat(retry.bytes()).isEmpty();
        assertThat(retry.header("Idempotency-Body-Omitted")).isEqualTo("true");
        assertThat(target.runs()).isEqualTo(1);
    }

    private static Answer large(ConformanceTarget target) {
        return target.post("/large?bytes=" + (1 << 20), quoted(target.key()), "body");
    }

    private static void concurrent(ConformanceTarget target) {
        CompletableFuture<Answer> first = target.begin(quoted(target.key()));
        Answer duplicate = target.post("/slow", quoted(target.key()), "slow");
        target.release();

        assertThat(duplicate.status()).isEqualTo(409);
        assertThat(first.join().status()).isEqualTo(200);
        assertThat(target.runs()).isEqualTo(1);
    }

    private static void missing(ConformanceTarget target) {
        Answer missing = target.echoWithoutKey("body");

        assertThat(missing.status()).isEqualTo(400);
        target.assertThatItIsExplained(missing);
        assertThat(target.runs()).isZero();
    }

    private static void reused(ConformanceTarget target) {
        Answer first = target.echo(quoted(target.key()), "body");
        Answer changed = target.echo(quoted(target.key()), "another");

        assertThat(changed.status()).isEqualTo(422);
        target.assertThatItIsExplained(changed);
        assertSameResult(target.echo(quoted(target.key()), "body"), first);
        assertThat(target.runs()).isEqualTo(1);
    }

    private static void reusedWhileTheFirstRuns(ConformanceTarget target) {
        CompletableFuture<Answer> first = target.begin(quoted(target.key()));
        Answer changed = target.post("/slow", quoted(target.key()), "another");
        target.release();

        assertThat(changed.status()).isEqualTo(422);
        target.assertThatItIsExplained(changed);
        assertThat(first.join().status()).isEqualTo(200);
        assertThat(target.runs()).isEqualTo(1);
    }

    private static void outstanding(ConformanceTarget target) {
        CompletableFuture<Answer> first = target.begin(quoted(target.key()));
        Answer duplicate = target.post("/slow", quoted(target.key()), "slow");

        assertThat(duplicate.status()).isEqualTo(409);
        target.assertThatItIsExplained(duplicate);
        target.release();
        assertThat(first.join().status()).isEqualTo(200);
    }

    private static void theBodyHasALink(ConformanceTarget target) {
        assertThat(target.echoWithoutKey("body").body()).containsPattern("\"(https?://|/)[^\"]+\"");
        assertThat(reusedForAnother(target).body()).containsPattern("\"(https?://|/)[^\"]+\"");
    }

    private static void theTypeIsAUrnAndTheHeaderHasTheLink(ConformanceTarget target) {
        for (Answer refusal : List.of(target.echoWithoutKey("body"), reusedForAnother(target))) {
            assertThat(target.member(refusal, "type")).startsWith("urn:idem:problem:");
            target.assertThatItIsExplained(refusal);
        }
    }

    private static Answer reusedForAnother(ConformanceTarget target) {
        target.echo(quoted(target.key()), "body");
        return target.echo(quoted(target.key()), "another");
    }

    private static void uncorrected(ConformanceTarget target) {
        target.echo(quoted(target.key()), "body");
        for (int time = 0; time < 2; time++) {
            assertThat(target.echoWithoutKey("body").status()).isEqualTo(400);
            assertThat(target.echo('"' + target.key(), "body").status()).isEqualTo(400);
            assertThat(target.echo(quoted(target.key()), "another").status()).isEqualTo(422);
        }
        assertThat(target.runs()).isEqualTo(1);
    }

    private static void noCorrection(ConformanceTarget target) {
        CompletableFuture<Answer> first = target.begin(quoted(target.key()));
        assertThat(target.post("/slow", quoted(target.key()), "slow").status()).isEqualTo(409);
        target.release();

        first.join();
        assertSameResult(target.post("/slow", quoted(target.key()), "slow"), first.join());
        assertThat(target.runs()).isEqualTo(1);
    }

    private static void format(ConformanceTarget target) {
        String other = target.key() + "0";
        Answer refused = target.post("/uuids", quoted(other), "body");

        assertThat(refused.status()).isEqualTo(400);
        target.assertThatItIsExplained(refused);
        assertThat(target.wasAskedFor(other)).isFalse();
        assertThat(target.post("/uuids", quoted(target.key()), "body").status()).isEqualTo(201);
        assertThat(target.runs()).isEqualTo(1);
    }

    private static void injection(ConformanceTarget target) {
        List<String> hostile = List.of(
                "*",
                ":other",
                "{tag}",
                "' OR '1'='1",
                "; DROP TABLE records",
                "/../../etc/passwd",
                "%0d%0aSET",
                "${jndi:ldap://host/a}",
                "<script>");
        for (String text : hostile) {
            int before = target.runs();
            String keyLine = quoted(target.key() + text);
            Answer first = target.echo(keyLine, text);

            assertThat(first.body()).isEqualTo(text);
            assertSameResult(target.echo(keyLine, text), first);
            assertThat(target.runs()).isEqualTo(before + 1);
            assertThat(target.wasAskedFor(target.key() + text)).isTrue();
        }
    }

    private static void compositeKey(ConformanceTarget target) {
        Answer ofOne = target.send(ofClient(target, "one"));
        Answer ofOther = target.send(ofClient(target, "two"));

        assertThat(ofOne.status()).isEqualTo(201);
        assertThat(ofOther.status()).isEqualTo(201);
        assertThat(target.runs()).isEqualTo(2);
        assertSameResult(target.send(ofClient(target, "one")), ofOne);
        assertSameResult(target.send(ofClient(target, "two")), ofOther);
        assertThat(ofOther.header("Location")).isNotEqualTo(ofOne.header("Location"));
        assertThat(target.runs()).isEqualTo(2);
    }

    private static HttpRequest.Builder ofClient(ConformanceTarget target, String client) {
        return target.request("/clients")
                .header(ConformanceEndpoints.CLIENT, client)
                .header(Client.KEY, quoted(target.key()))
                .POST(BodyPublishers.ofString("body"));
    }

    private static void assertRunsOnce(ConformanceTarget target, String keyLine) {
        int before = target.runs();
        Answer first = target.echo(keyLine, "body");

        assertThat(first.status()).isEqualTo(201);
        assertThat(first.body()).isEqualTo("body");
        assertSameResult(target.echo(keyLine, "body"), first);
        assertThat(target.runs()).isEqualTo(before + 1);
    }

    private static void assertSameResult(Answer retry, Answer first) {
        assertThat(retry.status()).isEqualTo(first.status());
        assertThat(retry.bytes()).isEqualTo(first.bytes());
        assertThat(retry.header("Content-Type")).isEqualTo(first.header("Content-Type"));
        assertThat(retry.header("Location")).isEqualTo(first.header("Location"));
    }

    private static void assertResultIsGivenAgain(ConformanceTarget target, int... statuses) {
        for (int status : statuses) {
            Answer first = status(target, status);

            assertThat(first.status()).isEqualTo(status);
            assertSameResult(status(target, status), first);
        }
        assertThat(target.runs()).isEqualTo(statuses.length);
    }

    private static void assertRetryRuns(ConformanceTarget target, int... statuses) {
        for (int status : statuses) {
            int before = target.runs();
            assertThat(status(target, status).status()).isEqualTo(status);
            assertThat(status(target, status).status()).isEqualTo(status);
            assertThat(target.runs()).isEqualTo(before + 2);
        }
    }

    private static Answer status(ConformanceTarget target, int status) {
        return target.post("/status/" + status, quoted(target.key() + '-' + status), "body");
    }

    private static void assertRefused(ConformanceTarget target, String keyLine) {
        assertRefused(target, target.echo(keyLine, "body"));
    }

    private static void assertRefused(ConformanceTarget target, Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(target.runs()).isZero();
    }
}
