package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Scope;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.http.StoredResponse;
import io.idem.http.StoredResponseCodec;
import io.idem.http.contract.Client.Answer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Routes whose requests bring their key with them, as deliveries of events do. */
public abstract class WebhookContract {

    public static final String SETTINGS = "spring.config.import=classpath:webhooks.yml";

    /** The API key finds the tenant of routes without a preset; deliveries of a preset carry none. */
    private static final Map<String, String> AS_ACME = Map.of(ApiKeys.HEADER, "key-of-acme");

    private final Client client;
    private final Runs runs;
    private final FaultyStore store;
    private final MeterRegistry registry;
    private final String id = "evt_" + Client.newKey();
    private final String key = "event:/webhooks/stripe:stripe:" + id;

    protected WebhookContract(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
        this.store = app.bean(FaultyStore.class);
        this.registry = app.bean(MeterRegistry.class);
    }

    @Test
    void aRepeatedDeliveryGetsTheFirstAnswerThoughBodyAndSignatureChanged() {
        String body = stripe("\"pending_webhooks\":2");
        String later = stripe("\"pending_webhooks\":1");

        Answer first = post("/webhooks/stripe", body, Signatures.stripe(body));
        Answer second =
                post("/webhooks/stripe", later, Signatures.stripe(Signatures.SECRET, later, Duration.ofMinutes(2)));

        assertThat(first.status()).isEqualTo(202);
        assertThat(first.replayed()).isFalse();
        assertThat(second.status()).isEqualTo(202);
        assertThat(second.replayed()).isTrue();
        assertThat(second.bytes()).isEqualTo(first.bytes());
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aHandlerGetsTheWholeBody() {
        String body = stripe("\"text\":\"" + "ü".repeat(900) + "\"");

        assertThat(post("/webhooks/stripe", body, Signatures.stripe(body)).body())
                .isEqualTo("run 1, hash " + Arrays.hashCode(body.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aDuplicateWithAWrongSignatureDoesNotGetTheStoredAnswer() {
        String body = stripe("\"type\":\"invoice.paid\"");
        Answer first = post("/webhooks/stripe", body, Signatures.stripe(body));
        int asked = store.acquires(IdempotencyKey.of(key));

        List<Answer> refused = List.of(
                post("/webhooks/stripe", body + " ", Signatures.stripe(body)),
                post("/webhooks/stripe", body, Signatures.stripe("whsec_of_somebody", body, Duration.ZERO)),
                post("/webhooks/stripe", body, Signatures.stripe(Signatures.SECRET, body, Duration.ofMinutes(6))),
                post("/webhooks/stripe", body, Map.of("Stripe-Signature", "t=1,v1=zz")),
                post("/webhooks/stripe", body, Map.of("Stripe-Signature", "v1=00")),
                post("/webhooks/stripe", body, Map.of()));

        assertThat(refused).allSatisfy(answer -> {
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.replayed()).isFalse();
            assertThat(answer.body())
                    .contains("urn:idem:problem:signature-invalid")
                    .doesNotContain("run 1");
        });
        assertThat(store.acquires(IdempotencyKey.of(key))).isEqualTo(asked);
        assertThat(post("/webhooks/stripe", body, Signatures.stripe(body)).bytes())
                .isEqualTo(first.bytes());
    }

    @Test
    void aSecretAndTheOneBeforeItAreBothAccepted() {
        String body = stripe("\"type\":\"invoice.paid\"");

        Answer before =
                post("/webhooks/stripe", body, Signatures.stripe(Signatures.SECRET_BEFORE, body, Duration.ZERO));

        assertThat(before.status()).isEqualTo(202);
        assertThat(post("/webhooks/stripe", body, Signatures.stripe(body)).replayed())
                .isTrue();
    }

    @Test
    void aDuplicateOfARunningDeliveryGets503WithRetryAfter() {
        String body = stripe("\"type\":\"invoice.paid\"");
        runs.shut(key);
        CompletableFuture<Answer> first = later("/webhooks/stripe", body, Signatures.stripe(body));
        await().until(() -> runs.of(key) == 1);

        Answer second = post("/webhooks/stripe", body, Signatures.stripe(body));

        assertThat(second.status()).isEqualTo(503);
        assertThat(Integer.parseInt(second.header("Retry-After"))).isBetween(1, 30);
        assertThat(second.body()).contains("urn:idem:problem:delivery-in-progress", "\"retryWithSameKey\":true");
        runs.open(key);
        assertThat(first.join().status()).isEqualTo(202);
        assertThat(post("/webhooks/stripe", body, Signatures.stripe(body)).bytes())
                .isEqualTo(first.join().bytes());
    }

    @Test
    void deliveriesOfOneEventAtTheSameTimeRunOnce() {
        List<CompletableFuture<Answer>> sent = IntStream.range(0, 60)
                .mapToObj(number -> stripe("\"pending_webhooks\":" + number))
                .map(body -> later("/webhooks/stripe", body, Signatures.stripe(body)))
                .toList();
        List<Answer> answers = sent.stream().map(CompletableFuture::join).toList();

        assertThat(runs.of(key)).isEqualTo(1);
        assertThat(answers).allMatch(answer -> answer.status() == 202 || answer.status() == 503);
        assertThat(answers.stream().filter(answer -> answer.status() == 202 && !answer.replayed()))
                .hasSize(1);
    }

    @Test
    void aFailedHandlerIsNotAnsweredWith2xxAndItsRetryRuns() {
        String body = stripe("\"note\":\"throws once\"");

        assertThat(post("/webhooks/stripe", body, Signatures.stripe(body)).status())
                .isEqualTo(500);
        assertThat(post("/webhooks/stripe", body, Signatures.stripe(body)).body())
                .startsWith("run 2");
    }

    @Test
    void anAnswerOtherThan2xxIsNotStored() {
        String body = stripe("\"note\":\"of unknown type\"");

        assertThat(post("/webhooks/stripe", body, Signatures.stripe(body)).status())
                .isEqualTo(422);
        Answer second = post("/webhooks/stripe", body, Signatures.stripe(body));
        assertThat(second.replayed()).isFalse();
        assertThat(second.body()).startsWith("run 2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"id\":{}}",
                "{\"id\":1.5}",
                "{\"id\":\" \"}",
                "{\"id\":null}",
                "[1]",
                "{\"id\":\"a\"",
                "",
                "{\"id\":\"a\",\"id\":\"b\"}",
                "{\"id\":\"a\"} {}",
                "{\"id\":\"\\ud800\"}"
            })
    void aBodyWithoutTheKeyIsRefusedAndClaimsNothing(String body) {
        Set<IdempotencyKey> asked = store.asked();
        String outcome = body.contains("ud800") ? "key-malformed" : "key-missing";
        long before = count("/webhooks/paypal", outcome);

        Answer answer = post("/webhooks/paypal", body, Map.of());

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("urn:idem:problem:" + outcome, "/id");
        assertThat(store.asked()).isEqualTo(asked);
        await().untilAsserted(
                        () -> assertThat(count("/webhooks/paypal", outcome)).isEqualTo(before + 1));
    }

    @Test
    void aBodyOverTheLimitIsRefusedBeforeItsKeyIsRead() {
        String body = stripe("\"text\":\"" + "x".repeat(5000) + "\"");

        Answer answer = post("/webhooks/stripe", body, Signatures.stripe(body));

        assertThat(answer.status()).isEqualTo(413);
        assertThat(store.acquires(IdempotencyKey.of(key))).isZero();
    }

    @Test
    void twoEndpointsOfOneSenderBothGetAnEvent() {
        String body = stripe("\"type\":\"invoice.paid\"");

        post("/webhooks/stripe", body, Signatures.stripe(body));
        Answer other = post("/webhooks/billing", body, Signatures.stripe(body));

        assertThat(other.replayed()).isFalse();
        assertThat(other.body()).startsWith("run 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/webhooks/stripe/", "/webhooks//stripe", "/webhooks/%73tripe", "/Webhooks/Stripe"})
    void anotherSpellingOfThePathIsNoOtherEndpoint(String spelling) {
        String body = stripe("\"type\":\"invoice.paid\"");
        post("/webhooks/stripe", body, Signatures.stripe(body));

        post(spelling, body, Signatures.stripe(body));

        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void noClientCanTakeTheKeyOfAnEvent() {
        String claimed = "event:/webhooks/header:" + id;

        Answer claim = post("/webhooks/payments", "{}", with(AS_ACME, Client.KEY, claimed));
        Answer event = post("/webhooks/header", "{}", with(AS_ACME, "X-Acme-Delivery", id));

        assertThat(claim.status()).isEqualTo(400);
        assertThat(claim.body()).contains("urn:idem:problem:key-malformed", "event:/");
        assertThat(event.replayed()).isFalse();
        assertThat(runs.of(claimed)).isEqualTo(1);
    }

    @Test
    void addressesOfOnePatternAreDifferentEndpoints() {
        String event = "{\"id\":\"" + id + "\"}";

        Answer tea = post("/tenants/tea/events", event, Map.of());
        Answer coffee = post("/tenants/coffee/events", event, Map.of());

        assertThat(List.of(tea, coffee))
                .allMatch(answer -> answer.status() == 202)
                .noneMatch(Answer::replayed);
        assertThat(post("/tenants/%74ea/events", event, Map.of()).replayed()).isTrue();
    }

    @Test
    void variablesInThePathOfAFunctionCountToo() {
        String event = "{\"id\":\"" + id + "\"}";

        List<Boolean> replayed = Stream.of("tea", "coffee", "tea")
                .map(tenant -> post("/functions/" + tenant + "/events", event, Map.of()))
                .map(Answer::replayed)
                .toList();

        assertThat(replayed).containsExactly(false, false, true);
    }

    @Test
    void theSignatureAndACheckBesideItBothDecide() {
        String body = stripe("\"type\":\"invoice.paid\"");
        Map<String, String> signed = Signatures.stripe(body);

        assertThat(post("/webhooks/both", body, AcmeKey.PASSWORD).status()).isEqualTo(401);
        assertThat(post("/webhooks/both", body, signed).status()).isEqualTo(401);
        assertThat(post("/webhooks/both", body, with(signed, "X-Acme-Password", "sesame"))
                        .status())
                .isEqualTo(202);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"number\":\" \"}"})
    void aSourceThatFindsNothingOrABlankTextMakesNoKey(String body) {
        Answer answer = post("/webhooks/acme", body, AcmeKey.PASSWORD);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body()).contains("urn:idem:problem:key-missing");
    }

    static Stream<Sample> samples() {
        return Stream.of(
                new Sample(
                        "stripe",
                        number -> "{\"id\":\"evt_" + number + "\",\"object\":\"event\",\"account\":\"acct_1\","
                                + "\"type\":\"invoice.paid\",\"data\":{\"object\":{\"id\":\"in_1\"}}}",
                        (number, body) -> Signatures.stripe(body)),
                new Sample(
                        "github",
                        number -> "{\"action\":\"opened\",\"number\":7,\"repository\":{\"id\":12}}",
                        (number, body) -> with(
                                Signatures.github(body),
                                "X-GitHub-Event",
                                "pull_request",
                                "X-GitHub-Hook-ID",
                                "480171412",
                                "X-GitHub-Delivery",
                                number)),
                new Sample(
                        "shopify",
                        number -> "{\"id\":820982911946154508,\"total_price\":\"49.00\"}",
                        (number, body) -> with(
                                Signatures.shopify(body),
                                "X-Shopify-Topic",
                                "orders/create",
                                "X-Shopify-Shop-Domain",
                                "tea.myshopify.com",
                                "X-Shopify-Webhook-Id",
                                number)),
                new Sample(
                        "adyen",
                        number -> "{\"live\":\"false\",\"notificationItems\":[{\"NotificationRequestItem\":{"
                                + "\"eventCode\":\"AUTHORISATION\",\"merchantAccountCode\":\"Tea\",\"pspReference\":\""
                                + number + "\",\"success\":\"true\",\"eventDate\":\"" + System.nanoTime() + "\"}}]}",
                        (number, body) -> Map.of()),
                new Sample(
                        "paypal",
                        number -> "{\"id\":\"WH-" + number + "\",\"event_type\":\"PAYMENT.CAPTURE.COMPLETED\","
                                + "\"resource\":{\"id\":\"80F\"}}",
                        (number, body) -> Map.of("PAYPAL-TRANSMISSION-ID", Client.newKey())),
                new Sample(
                        "slack",
                        number ->
                                "{\"token\":\"t\",\"team_id\":\"T1\",\"api_app_id\":\"A1\",\"type\":\"event_callback\","
                                        + "\"event\":{\"type\":\"app_mention\"},\"event_id\":\"Ev" + number + "\"}",
                        (number, body) -> Signatures.slack(body)),
                new Sample(
                        "slack",
                        number -> "{\"token\":\"t\",\"challenge\":\"" + number + "\",\"type\":\"url_verification\"}",
                        (number, body) -> Signatures.slack(body)),
                new Sample(
                        "slack",
                        number -> "{\"type\":\"app_rate_limited\",\"team_id\":\"T1\",\"api_app_id\":\"" + number
                                + "\",\"minute_rate_limited\":1518467820}",
                        (number, body) -> Signatures.slack(body)),
                new Sample(
                        "standard",
                        number -> "{\"type\":\"contact.created\",\"data\":{\"id\":\"1f81eb52\"}}",
                        (number, body) -> Signatures.standard("msg_" + number, body)),
                new Sample(
                        "standard",
                        number -> "{\"type\":\"contact.created\",\"data\":{\"id\":\"1f81eb52\"}}",
                        (number, body) -> Signatures.svix("msg_" + number, body)),
                new Sample(
                        "events",
                        number -> "{\"amount\":1}",
                        (number, body) ->
                                with(AS_ACME, "ce-source", "/orders", "ce-id", number, "ce-type", "order.paid")),
                new Sample(
                        "events",
                        number -> "{\"specversion\":\"1.0\",\"source\":\"/orders\",\"id\":\"" + number
                                + "\",\"type\":\"order.paid\",\"data\":{}}",
                        (number, body) -> with(AS_ACME, "Content-Type", "application/cloudevents+json; charset=UTF-8")),
                new Sample(
                        "header",
                        number -> "{}",
                        (number, body) -> with(AS_ACME, "X-Acme-Delivery", " " + number + " ")),
                new Sample(
                        "pointers",
                        number -> "{\"account\":7,\"event\":{\"id\":\"" + number + "\"},\"sent\":\"" + System.nanoTime()
                                + "\"}",
                        (number, body) -> AS_ACME),
                new Sample("acme", number -> "{\"number\":\"" + number + "\"}", (number, body) -> AcmeKey.PASSWORD));
    }

    @ParameterizedTest
    @MethodSource("samples")
    void theRulesOfASenderTellRetriesFromOtherEvents(Sample sample) {
        String number = Client.newKey();

        Answer first = sample.send(this, number);
        Answer retry = sample.send(this, number);
        Answer other = sample.send(this, Client.newKey());

        assertThat(first.body()).startsWith("run 1");
        assertThat(retry.status()).isEqualTo(202);
        assertThat(retry.replayed()).isTrue();
        assertThat(retry.bytes()).isEqualTo(first.bytes());
        assertThat(other.replayed()).isFalse();
    }

    @Test
    void aDeliveryOfSvixCannotBeSentAgainUnderAnotherNumber() {
        String body = "{\"type\":\"contact.created\"}";
        Map<String, String> headers = Signatures.svix("msg_" + key, body);

        assertThat(post("/webhooks/standard", body, headers).status()).isEqualTo(202);
        assertThat(post("/webhooks/standard", body, with(headers, "webhook-id", "msg_other"))
                        .status())
                .isEqualTo(401);
        assertThat(post("/webhooks/standard", body, Signatures.standard("msg_" + key, body))
                        .replayed())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"github", "shopify", "slack", "standard", "acme"})
    void aSignatureOfAnotherBodyIsRefused(String sender) {
        Sample sample = samples()
                .filter(known -> known.sender().equals(sender))
                .findFirst()
                .orElseThrow();
        String number = Client.newKey();
        Map<String, String> headers = sample.headers().apply(number, "{\"signed\":true}");
        Map<String, String> unsigned = new HashMap<>(headers);
        unsigned.keySet().removeIf(name -> name.matches("(?i).*(signature|hmac|password).*"));

        assertThat(post("/webhooks/" + sender, sample.body().apply(number), unsigned)
                        .status())
                .isEqualTo(401);
        if (!sender.equals("acme")) {
            assertThat(post("/webhooks/" + sender, sample.body().apply(number), headers)
                            .status())
                    .isEqualTo(401);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--x--\r\n"})
    void theSignatureOfNoBodyVerifiesNothing(String body) {
        String type = body.isEmpty() ? "application/json" : "multipart/form-data; boundary=x";
        Map<String, String> headers = with(Signatures.github(""), "X-GitHub-Delivery", id, "Content-Type", type);

        assertThat(post("/webhooks/github", body, headers).status()).isEqualTo(401);
    }

    @Test
    void aCloudEventHasOneKeyInBothModes() {
        String number = "ü " + Client.newKey();
        String structured =
                "{\"specversion\":\"1.0\",\"source\":\"/orders\",\"id\":\"" + number + "\",\"type\":\"paid\"}";
        Answer first =
                post("/webhooks/events", structured, with(AS_ACME, "Content-Type", "application/cloudevents+json"));

        Answer binary = post(
                "/webhooks/events",
                "{}",
                with(AS_ACME, "ce-source", "/orders", "ce-id", number.replace("ü ", "%C3%BC%20")));

        assertThat(binary.replayed()).isTrue();
        assertThat(binary.bytes()).isEqualTo(first.bytes());
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"%C3%BC%20\\\"KEY\"", "%C3%BC%20%22KEY", "\"%C3%BC%20%22KEY\""})
    void aCloudEventHasOneKeyHoweverItsHeaderIsSpelled(String spelling) {
        String number = Client.newKey();
        String structured = "{\"specversion\":\"1.0\",\"source\":\"/orders\",\"id\":\"ü \\\"" + number + "\"}";
        post("/webhooks/events", structured, with(AS_ACME, "Content-Type", "application/cloudevents+json"));

        assertThat(post("/webhooks/events", "{}", event(spelling.replace("KEY", number)))
                        .replayed())
                .isTrue();
    }

    @Test
    void quotesThatArePartOfAnEventsNumberCount() {
        post("/webhooks/events", "{}", event(id));

        assertThat(post("/webhooks/events", "{}", event("%22" + id + "%22")).replayed())
                .isFalse();
    }

    @Test
    void aCloudEventInQuotesThatAnEarlierVersionRecordedIsFound() {
        recorded(new IdempotencyKey("acme", "event:/webhooks/events:cloud_events:/orders:\"" + id + "\""));

        assertThat(post("/webhooks/events", "{}", event("\"" + id + "\"")).body())
                .isEqualTo("earlier");
        assertThat(post("/webhooks/events", "{}", event(id)).body()).isEqualTo("earlier");
    }

    private static Map<String, String> event(String number) {
        return with(AS_ACME, "ce-source", "/orders", "ce-id", number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ITEM,OTHER", "OTHER,ITEM", "ITEM,null", "ITEM,ITEM", ""})
    void aListOfAdyenThatHasNotOneItemIsRefused(String items) {
        String item = "{\"NotificationRequestItem\":{\"eventCode\":\"AUTHORISATION\",\"merchantAccountCode\":\"Tea\","
                + "\"pspReference\":\"" + id + "\",\"success\":\"true\"}}";
        post("/webhooks/adyen", "{\"notificationItems\":[" + item + "]}", Map.of());

        Answer several = post(
                "/webhooks/adyen",
                "{\"notificationItems\":["
                        + items.replace("ITEM", item).replace("OTHER", item.replace(id, Client.newKey())) + "]}",
                Map.of());

        assertThat(several.status()).isEqualTo(400);
        assertThat(several.body()).contains("of the only item");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/cloudevents-batch+json", "application/cloudevents+xml", "application/json"})
    void whatIsNoSingleCloudEventIsRefused(String type) {
        assertThat(post("/webhooks/events", "[]", with(AS_ACME, "Content-Type", type))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void aTopicOfShopifyIsPartOfTheKey() {
        String body = "{}";
        Map<String, String> headers = with(
                Signatures.shopify(body),
                "X-Shopify-Shop-Domain",
                "tea.myshopify.com",
                "X-Shopify-Webhook-Id",
                id,
                "X-Shopify-Topic",
                "orders/create");

        post("/webhooks/shopify", body, headers);

        assertThat(post("/webhooks/shopify", body, with(headers, "X-Shopify-Topic", "orders/paid"))
                        .replayed())
                .isFalse();
    }

    @Test
    void anEventOfShopifyThatTwoSubscriptionsDeliverRunsOnce() {
        Map<String, String> first = shopify(Client.newKey());
        Map<String, String> second = shopify(Client.newKey());

        Answer answer = post("/webhooks/shopify", "{}", first);

        assertThat(answer.replayed()).isFalse();
        assertThat(post("/webhooks/shopify", "{}", second).replayed()).isTrue();
        assertThat(post("/webhooks/shopify", "{}", with(second, "X-Shopify-Topic", "orders/paid"))
                        .replayed())
                .isFalse();
        assertThat(post("/webhooks/shopify", "{}", with(second, "X-Shopify-Shop-Domain", "coffee.myshopify.com"))
                        .replayed())
                .isFalse();
    }

    @Test
    void aDeliveryOfShopifyThatAnEarlierVersionRecordedIsFound() {
        String delivery = Client.newKey();
        recorded("event:/webhooks/shopify:shopify:tea.myshopify.com:orders/create:" + delivery);

        assertThat(post("/webhooks/shopify", "{}", shopify(delivery)).body()).isEqualTo("earlier");
    }

    private Map<String, String> shopify(String delivery) {
        return with(
                Signatures.shopify("{}"),
                "X-Shopify-Shop-Domain",
                "tea.myshopify.com",
                "X-Shopify-Topic",
                "orders/create",
                "X-Shopify-Event-Id",
                id,
                "X-Shopify-Webhook-Id",
                delivery);
    }

    @Test
    void twoSendersAtOneAddressMayGiveTheSameNumber() {
        String body = stripe("\"type\":\"invoice.paid\"");
        Map<String, String> before = Signatures.stripe("whsec_of_north_before", body, Duration.ZERO);
        Map<String, String> south = Signatures.stripe(Signatures.SECRET_BEFORE, body, Duration.ZERO);

        assertThat(post("/webhooks/named", body, Signatures.stripe(body)).replayed())
                .isFalse();
        assertThat(post("/webhooks/named", body, south).replayed()).isFalse();
        assertThat(post("/webhooks/named", body, before).replayed()).isTrue();
        assertThat(post("/webhooks/named", body, south).replayed()).isTrue();
        assertThat(runs.of("event:/webhooks/named:stripe:north:" + id)).isEqualTo(1);
        assertThat(runs.of("event:/webhooks/named:stripe:south:" + id)).isEqualTo(1);
        assertThat(post("/webhooks/named", body, Signatures.stripe("whsec_of_nobody", body, Duration.ZERO))
                        .status())
                .isEqualTo(401);
    }

    @Test
    void whatWasRecordedBeforeSendersHadNamesIsThatOfTheFirst() {
        String body = stripe("\"type\":\"invoice.paid\"");
        recorded("event:/webhooks/named:stripe:" + id);

        assertThat(post("/webhooks/named", body, Signatures.stripe(body)).body())
                .isEqualTo("earlier");
        assertThat(post("/webhooks/named", body, Signatures.stripe(Signatures.SECRET_BEFORE, body, Duration.ZERO))
                        .body())
                .startsWith("run 1");
    }

    /** Records an answer under a key of an earlier version. */
    private void recorded(String earlier) {
        recorded(IdempotencyKey.of(earlier));
    }

    private void recorded(IdempotencyKey earlier) {
        StoredResponse answer = StoredResponse.of(202, List.of(), "earlier".getBytes(StandardCharsets.UTF_8));
        try (IdempotentExecutor executor = IdempotentExecutor.on(store).build()) {
            executor.execute(
                    Operation.of(earlier, new Scope("http.shop"), ExecutionPolicy.defaults()),
                    attempt -> new WorkResult.Complete<>("done", StoredResponseCodec.encode(answer)));
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void aRouteMayCompareBodiesAllTheSame() {
        Function<Integer, String> body = amount -> "{\"id\":\"" + id + "\",\"amount\":" + amount + "}";

        post("/webhooks/compared", body.apply(1), AS_ACME);

        assertThat(post("/webhooks/compared", body.apply(2), AS_ACME).status()).isEqualTo(422);
        assertThat(post("/webhooks/compared", body.apply(1), AS_ACME).replayed())
                .isTrue();
    }

    @Test
    void aKeyOfARouteWithoutPresetNeedsATenant() {
        assertThat(post("/webhooks/header", "{}", Map.of("X-Acme-Delivery", id)).status())
                .isEqualTo(403);
        assertThat(post("/webhooks/header", "{}", with(AS_ACME, "X-Acme-Delivery", id))
                        .status())
                .isEqualTo(202);
    }

    @Test
    void aFunctionsRouteTakesTheSameOptions() {
        String body = stripe("\"type\":\"invoice.paid\"");

        assertThat(post("/functions/stripe", body, Map.of()).status()).isEqualTo(401);
        Answer first = post("/functions/stripe", body, Signatures.stripe(body));
        assertThat(first.status()).isEqualTo(200);
        assertThat(post("/functions/stripe", body, Signatures.stripe(body)).replayed())
                .isTrue();
    }

    private String stripe(String member) {
        return "{\"id\":\"" + id + "\",\"object\":\"event\"," + member + "}";
    }

    private static Map<String, String> with(Map<String, String> headers, String... more) {
        Map<String, String> all = new HashMap<>(headers);
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return all;
    }

    private Answer post(String path, String body, Map<String, String> headers) {
        return client.send(request(path, body, headers));
    }

    private CompletableFuture<Answer> later(String path, String body, Map<String, String> headers) {
        return client.sendAsync(request(path, body, headers));
    }

    private HttpRequest.Builder request(String path, String body, Map<String, String> headers) {
        HttpRequest.Builder request = client.request(path).POST(BodyPublishers.ofString(body));
        headers.forEach(request::setHeader);
        return request;
    }

    private long count(String route, String outcome) {
        return registry.timer("idem.http.requests", Tags.of("method", "POST", "route", route, "outcome", outcome))
                .count();
    }

    /** Deliveries of a sender, in the form of its documentation. */
    record Sample(
            String sender, Function<String, String> body, BiFunction<String, String, Map<String, String>> headers) {

        Answer send(WebhookContract contract, String number) {
            String content = body.apply(number);
            return contract.post("/webhooks/" + sender, content, headers.apply(number, content));
        }

        @Override
        public String toString() {
            return sender;
        }
    }
}
