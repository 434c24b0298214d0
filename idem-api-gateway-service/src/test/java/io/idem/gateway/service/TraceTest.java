package io.idem.gateway.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A request, its message and the listener are one trace, with idem's steps in it. */
@Tag("extended")
class TraceTest {

    private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final String PATH = "/v1/payments";

    @Test
    void aRequestItsMessageAndTheListenerAreOneTrace() {
        Broker broker = new Broker();
        broker.bind(Broker.PAYMENTS);
        try (broker;
                Intake intake = start(broker)) {
            String key = Intake.newKey();
            intake.send(intake.request(PATH)
                    .header("Authorization", "Bearer " + Intake.NORTH)
                    .header("Idempotency-Key", key)
                    .header("Content-Type", "application/json")
                    .header("traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01")
                    .POST(BodyPublishers.ofString(Intake.BODY)));

            Spans spans = intake.bean(Spans.class);
            await().untilAsserted(() -> assertThat(spans.named("idem payments")).hasSize(1));

            SpanData intakes = spans.named("idem http.intake").get(0);
            SpanData listeners = spans.named("idem payments").get(0);
            assertThat(List.of(intakes, listeners))
                    .allMatch(span -> span.getTraceId().equals(TRACE));
            assertThat(spans.below(intakes)).contains("idem.acquire", "idem.settle");
            assertThat(spans.below(listeners)).contains("idem.acquire", "step charge", "idem.settle");
            assertThat(spans.ancestors(listeners)).contains("idem http.intake");
            assertThat(listeners.getAttributes().get(AttributeKey.stringKey("outcome")))
                    .isEqualTo("executed");
            assertThat(listeners.getAttributes().get(AttributeKey.stringKey("transport")))
                    .isEqualTo("rabbit");
        }
    }

    @Test
    void theBucketsOfAnExecutionSayWhichTraceIsAnExample() {
        Broker broker = new Broker();
        broker.bind(Broker.PAYMENTS);
        try (broker;
                Intake intake = start(broker)) {
            intake.send(intake.request(PATH)
                    .header("Authorization", "Bearer " + Intake.NORTH)
                    .header("Idempotency-Key", Intake.newKey())
                    .header("Content-Type", "application/json")
                    .header("traceparent", "00-" + TRACE + "-00f067aa0ba902b7-01")
                    .POST(BodyPublishers.ofString(Intake.BODY)));

            PrometheusMeterRegistry registry = intake.bean(PrometheusMeterRegistry.class);
            await().untilAsserted(() -> assertThat(
                            registry.scrape("application/openmetrics-text").lines())
                    .anyMatch(line -> line.startsWith("idem_execution_seconds_bucket")
                            && line.contains("trace_id=\"" + TRACE + "\"")));
        }
    }

    private static Intake start(Broker broker) {
        return Intake.startWithKeys(
                Stream.of(
                                broker.settings(),
                                broker.route(0, PATH, Broker.PAYMENTS),
                                Stream.of(
                                        "management.tracing.sampling.probability=1",
                                        "management.metrics.distribution.percentiles-histogram.idem.execution=true",
                                        "spring.rabbitmq.template.observation-enabled=true",
                                        "spring.rabbitmq.listener.simple.observation-enabled=true",
                                        "test.queue=" + broker.exchange() + "." + Broker.PAYMENTS))
                        .flatMap(part -> part),
                Tracing.class);
    }

    @Configuration(proxyBeanMethods = false)
    static class Tracing {

        @Bean
        Spans spans() {
            return new Spans(new CopyOnWriteArrayList<>());
        }

        @Bean
        SpanProcessor toSpans(Spans spans) {
            return SimpleSpanProcessor.create(spans);
        }

        @Bean
        Listener listener() {
            return new Listener();
        }
    }

    static class Listener {

        @RabbitListener(queues = "${test.queue}")
        @IdempotentListener(scope = "payments")
        public void pay(byte[] payment, IdempotencyContext attempt) {
            String charged = attempt.step("charge", String.class, step -> "charged");
            assertThat(charged).isNotEmpty();
            assertThat(payment).isNotEmpty();
        }
    }

    /** What was traced. */
    record Spans(List<SpanData> all) implements SpanExporter {

        @Override
        public CompletableResultCode export(Collection<SpanData> ended) {
            all.addAll(ended);
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }

        List<SpanData> named(String name) {
            return all.stream().filter(span -> span.getName().equals(name)).toList();
        }

        List<String> below(SpanData parent) {
            return all.stream()
                    .filter(span -> span.getParentSpanId().equals(parent.getSpanId()))
                    .map(SpanData::getName)
                    .toList();
        }

        List<String> ancestors(SpanData of) {
            return all.stream()
                    .filter(span -> span.getSpanId().equals(of.getParentSpanId()))
                    .flatMap(parent -> Stream.concat(Stream.of(parent.getName()), ancestors(parent).stream()))
                    .toList();
        }
    }
}
