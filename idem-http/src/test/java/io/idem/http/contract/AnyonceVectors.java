package io.idem.http.contract;

import static io.idem.http.contract.ConformanceTarget.quoted;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.ConformanceVector.Check;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/** The cases of anyonce's conformance suite: those that it reads in the draft (core), and choices of its own (profile). */
final class AnyonceVectors {

    private static final Names ITS =
            new Names("missing-key", "invalid-key", "fingerprint-mismatch", "Idempotency-Replay", "omitted");
    private static final Names OURS =
            new Names("key-missing", "key-malformed", "key-reused", "Idempotency-Body-Omitted", "true");
    private static final String PROBLEM = "application/problem+json";

    private AnyonceVectors() {}

    static List<ConformanceVector> all() {
        return List.of(
                ConformanceVector.of(
                        "core/post-executes-once",
                        "A POST with a new key runs once and is answered by its handler",
                        AnyonceVectors::postExecutesOnce),
                ConformanceVector.of(
                        "core/retry-replays",
                        "A retry gets the stored status and body, and nothing runs",
                        AnyonceVectors::retryReplays),
                ConformanceVector.of(
                        "core/two-keys-execute-twice",
                        "One body under two keys is two operations",
                        AnyonceVectors::twoKeysExecuteTwice),
                ConformanceVector.of(
                        "core/concurrent-409",
                        "A duplicate of a running request gets 409, and the handler runs once",
                        AnyonceVectors::concurrent409),
                ConformanceVector.of(
                        "core/mismatch-422",
                        "A key with another body gets 422, and nothing runs",
                        AnyonceVectors::mismatch422),
                ConformanceVector.of(
                        "core/mismatch-does-not-poison",
                        "After such a 422 the first body gets the first answer",
                        AnyonceVectors::mismatchDoesNotPoison),
                ConformanceVector.of(
                        "core/key-missing-required",
                        "A request without a key gets 400 as a problem detail where one is required, and nothing runs",
                        AnyonceVectors::keyMissingRequired),
                ConformanceVector.of(
                        "core/sf-string-quoted-key",
                        "A key in double quotes is accepted, and its retry is answered",
                        AnyonceVectors::quotedKey),
                ConformanceVector.of(
                        "core/header-name-case-insensitive",
                        "The name of the header may be spelled in lower case",
                        AnyonceVectors::headerNameInLowerCase),
                ConformanceVector.of(
                        "core/get-ignored", "A key on a GET is ignored: each runs", AnyonceVectors::getIgnored),
                ConformanceVector.of(
                        "core/expiry-executes-again",
                        "After the key has expired the same request runs again",
                        AnyonceVectors::expiryExecutesAgain),
                ConformanceVector.of(
                        "profile/replayed-header",
                        "A replay, and only a replay, has `Idempotency-Replayed: true`",
                        AnyonceVectors::replayedHeader),
                ConformanceVector.of(
                        "profile/retry-after-on-409",
                        "The 409 has `Retry-After` in whole seconds, at least 1",
                        AnyonceVectors::retryAfterOn409),
                ConformanceVector.of(
                        "profile/4xx-replayed",
                        "A 404 of the handler is stored and replayed",
                        AnyonceVectors::fourHundredReplayed),
                ConformanceVector.of(
                        "profile/5xx-not-stored",
                        "A 500 of the handler is not stored: the retry runs",
                        AnyonceVectors::fiveHundredNotStored),
                named(
                        "profile/omitted-body-replay",
                        "An answer of 1 MiB and a byte is replayed with status and headers, without its body, and says so",
                        "`Idempotency-Body-Omitted: true` for `Idempotency-Replay: omitted`",
                        AnyonceVectors::omittedBodyReplay),
                ConformanceVector.of(
                        "profile/problem-content-type",
                        "Refusals with 400 and 422 are `application/problem+json`",
                        AnyonceVectors::problemContentType),
                named(
                        "profile/problem-code-member",
                        "Problem details have a stable member `code`",
                        "`key-missing` and `key-reused` for `missing-key` and `fingerprint-mismatch`",
                        AnyonceVectors::problemCodeMember),
                named(
                        "profile/empty-key-rejected",
                        "The key `\"\"` gets 400 with a code, and nothing runs",
                        "`key-malformed` for `invalid-key`",
                        AnyonceVectors::emptyKeyRejected),
                named(
                        "profile/key-too-long",
                        "A key of 256 characters gets 400 with a code, and nothing runs",
                        "`key-malformed` for `invalid-key`",
                        AnyonceVectors::keyTooLong));
    }

    private static ConformanceVector named(
            String id, String requirement, String names, BiConsumer<ConformanceTarget, Names> check) {
        Check required = target -> check.accept(target, ITS);
        return ConformanceVector.of(id, requirement, required).butFor(names, target -> check.accept(target, OURS));
    }

    private static void postExecutesOnce(ConformanceTarget target) {
        assertEchoed(target.echo(target.key(), "hello"), "hello");
        assertThat(target.runs()).isEqualTo(1);
    }

    private static void retryReplays(ConformanceTarget target) {
        assertEchoed(target.echo(target.key(), "payload-a"), "payload-a");
        assertEchoed(target.echo(target.key(), "payload-a"), "payload-a");
        assertThat(target.runs()).isEqualTo(1);
    }

    private static void twoKeysExecuteTwice(ConformanceTarget target) {
        assertEchoed(target.echo(target.key() + "-1", "same"), "same");
        assertEchoed(target.echo(target.key() + "-2", "same"), "same");
        assertThat(target.runs()).isEqualTo(2);
    }

    private static void concurrent409(ConformanceTarget target) {
        CompletableFuture<Answer> original = target.begin(target.key());
        Answer duplicate = target.post("/slow", target.key(), "slow");
        target.release();

        assertThat(duplicate.status()).isEqualTo(409);
        assertThat(original.join().status()).isEqualTo(200);
        assertThat(original.join().body()).isEqualTo("slept");
        assertThat(target.runs()).isEqualTo(1);
    }

    private static void mismatch422(ConformanceTarget target) {
        assertEchoed(target.echo(target.key(), "payload-a"), "payload-a");
        assertThat(target.echo(target.key(), "payload-b").status()).isEqualTo(422);
        assertThat(target.runs()).isEqualTo(1);
    }

    private static void mismatchDoesNotPoison(ConformanceTarget target) {
        mismatch422(target);
        assertEchoed(target.echo(target.key(), "payload-a"), "payload-a");
        assertThat(target.runs()).isEqualTo(1);
    }

    private static void keyMissingRequired(ConformanceTarget target) {
        Answer missing = target.echoWithoutKey("no key");

        assertThat(missing.status()).isEqualTo(400);
        assertThat(missing.header("Content-Type")).startsWith(PROBLEM);
        assertThat(target.runs()).isZero();
    }

    private static void quotedKey(ConformanceTarget target) {
        assertEchoed(target.echo(quoted(target.key()), "quoted"), "quoted");
        assertEchoed(target.echo(quoted(target.key()), "quoted"), "quoted");
        assertThat(target.runs()).isEqualTo(1);
    }

    private static void headerNameInLowerCase(ConformanceTarget target) {
        assertEchoed(target.echo(target.key(), "case"), "case");
        Answer retry = target.send(
                target.request("/echo").header("idempotency-key", target.key()).POST(BodyPublishers.ofString("case")));

        assertEchoed(retry, "case");
        assertThat(target.runs()).isEqualTo(1);
    }

    private static void getIgnored(ConformanceTarget target) {
        assertThat(counter(target)).isEqualTo("{\"count\":0}");
        assertEchoed(target.echo(target.key() + "-2", "x"), "x");
        assertThat(counter(target)).isEqualTo("{\"count\":1}");
    }

    private static String counter(ConformanceTarget target) {
        Answer answer = target.send(
                target.request("/counter").header(Client.KEY, target.key()).GET());

        assertThat(answer.status()).isEqualTo(200);
        return answer.body();
    }

    private static void expiryExecutesAgain(ConformanceTarget target) {
        Answer first = target.echo(target.key(), "expire");
        target.letTimePass(Duration.ofSeconds(Long.parseLong(first.header("Idempotency-Retention")) + 1));

        assertEchoed(first, "expire");
        assertEchoed(target.echo(target.key(), "expire"), "expire");
        assertThat(target.runs()).isEqualTo(2);
    }

    private static void replayedHeader(ConformanceTarget target) {
        Answer first = target.echo(target.key(), "r");
        Answer retry = target.echo(target.key(), "r");

        assertEchoed(first, "r");
        assertEchoed(retry, "r");
        assertThat(first.header("Idempotency-Replayed")).isEmpty();
        assertThat(retry.header("Idempotency-Replayed")).isEqualTo("true");
    }

    private static void retryAfterOn409(ConformanceTarget target) {
        CompletableFuture<Answer> original = target.begin(target.key());
        Answer duplicate = target.post("/slow", target.key(), "slow");
        target.release();

        assertThat(duplicate.status()).isEqualTo(409);
        assertThat(duplicate.header("Retry-After")).matches("[1-9][0-9]*");
        assertThat(original.join().status()).isEqualTo(200);
    }

    private static void fourHundredReplayed(ConformanceTarget target) {
        Answer first = target.post("/status/404", target.key(), "s");
        Answer retry = target.post("/status/404", target.key(), "s");

        assertThat(first.status()).isEqualTo(404);
        assertThat(first.body()).isEqualTo("status:404");
        assertThat(retry.status()).isEqualTo(404);
        assertThat(retry.bytes()).isEqualTo(first.bytes());
        assertThat(retry.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(target.runs()).isEqualTo(1);
    }

    private static void fiveHundredNotStored(ConformanceTarget target) {
        Answer first = target.post("/status/500", target.key(), "s");
        Answer retry = target.post("/status/500", target.key(), "s");

        assertThat(first.status()).isEqualTo(500);
        assertThat(first.body()).isEqualTo("status:500");
        assertThat(retry.status()).isEqualTo(500);
        assertThat(retry.header("Idempotency-Replayed")).isEmpty();
        assertThat(target.runs()).isEqualTo(2);
    }

    private static void omittedBodyReplay(ConformanceTarget target, Names names) {
        int size = (1 << 20) + 1;
        Answer first = target.post("/large?bytes=" + size, target.key(), "l");
        Answer retry = target.post("/large?bytes=" + size, target.key(), "l");

        assertThat(first.status()).isEqualTo(200);
        assertThat(first.bytes()).hasSize(size);
        assertThat(retry.status()).isEqualTo(200);
        assertThat(retry.bytes()).isEmpty();
        assertThat(retry.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(target.runs()).isEqualTo(1);
        assertThat(retry.header(names.omitted())).isEqualTo(names.omittedValue());
    }

    private static void problemContentType(ConformanceTarget target) {
        keyMissingRequired(target);
        assertEchoed(target.echo(target.key(), "payload-a"), "payload-a");
        Answer changed = target.echo(target.key(), "payload-b");

        assertThat(changed.status()).isEqualTo(422);
        assertThat(changed.header("Content-Type")).startsWith(PROBLEM);
    }

    private static void problemCodeMember(ConformanceTarget target, Names names) {
        Answer missing = target.echoWithoutKey("no key");
        assertEchoed(target.echo(target.key(), "payload-a"), "payload-a");
        Answer changed = target.echo(target.key(), "payload-b");

        assertThat(missing.status()).isEqualTo(400);
        assertThat(changed.status()).isEqualTo(422);
        assertThat(target.member(missing, "code")).isEqualTo(names.missing());
        assertThat(target.member(changed, "code")).isEqualTo(names.mismatch());
    }

    private static void emptyKeyRejected(ConformanceTarget target, Names names) {
        assertInvalid(target, "\"\"", names);
    }

    private static void keyTooLong(ConformanceTarget target, Names names) {
        assertInvalid(target, "a".repeat(256), names);
    }

    private static void assertInvalid(ConformanceTarget target, String keyLine, Names names) {
        Answer refused = target.echo(keyLine, "refused");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(target.runs()).isZero();
        assertThat(target.member(refused, "code")).isEqualTo(names.invalid());
    }

    private static void assertEchoed(Answer answer, String body) {
        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.body()).isEqualTo(body);
    }

    /** Names that an implementation chooses: the codes of three problems, and the header that says that a body is missing. */
    private record Names(String missing, String invalid, String mismatch, String omitted, String omittedValue) {}
}
