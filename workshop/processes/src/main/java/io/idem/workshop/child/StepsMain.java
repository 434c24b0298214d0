package io.idem.workshop.child;

import io.idem.IdempotencyContext;
import io.idem.Idempotent;
import io.idem.consumer.IdempotentListener;
import io.idem.servers.process.ParentWatch;
import io.idem.step.Step;
import io.idem.step.StepContext;
import io.idem.step.StepFinding;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.KafkaAdmin;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * An application that does the same work of two steps for messages of RabbitMQ, records of Kafka and requests. Its queue,
 * topic and group are named after {@code e2e.name}. It tells a provider elsewhere, at {@code e2e.provider}, whatever it
 * does. Only Redis protects.
 */
public final class StepsMain {

    public static final String RABBIT_SCOPE = "rabbit-steps";
    public static final String KAFKA_SCOPE = "kafka-steps";

    /** The step that is looked up. */
    public static final String CHARGE = "charge";

    /** The step that runs again if its outcome is unknown. */
    public static final String LABEL = "label";

    /** The work has begun. */
    public static final String BEGAN = "began";

    /** The first step has returned. */
    public static final String CHARGED = "charged";

    /** The second step has returned. */
    public static final String LABELLED = "labelled";

    private StepsMain() {}

    public static void main(String[] arguments) {
        ParentWatch.haltWithParent();
        new SpringApplicationBuilder(AutoConfigured.class, TripwireConfiguration.class)
                .properties("spring.main.banner-mode=off", "spring.application.name=steps")
                .run(arguments);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Provider.class, Shipping.class, Entries.class})
    static class AutoConfigured {

        @Bean
        Queue queue(@Value("${e2e.name}") String name) {
            return new Queue(name);
        }

        @Bean
        KafkaAdmin.NewTopics topics(@Value("${e2e.name}") String name) {
            return new KafkaAdmin.NewTopics(
                    TopicBuilder.name(name).partitions(1).build());
        }
    }

    @RestController
    static class Entries {

        private final Shipping shipping;

        Entries(Shipping shipping) {
            this.shipping = shipping;
        }

        @RabbitListener(queues = "${e2e.name}")
        @IdempotentListener(scope = RABBIT_SCOPE)
        void onRabbit(byte[] body, IdempotencyContext attempt) {
            shipping.ship(attempt);
        }

        @KafkaListener(topics = "${e2e.name}", groupId = "${e2e.name}")
        @IdempotentListener(scope = KAFKA_SCOPE)
        void onKafka(String body, IdempotencyContext attempt) {
            shipping.ship(attempt);
        }

        @PostMapping("/shipments")
        @Idempotent
        String onRequest(IdempotencyContext attempt) {
            return shipping.ship(attempt);
        }
    }

    /** Work with two steps that all listeners and handlers share. */
    static class Shipping {

        private final Provider provider;

        Shipping(Provider provider) {
            this.provider = provider;
        }

        String ship(IdempotencyContext attempt) {
            // An earlier version takes a key that was encoded with its quotes.
            String key = attempt.key().value().replace("\"", "");
            provider.tell(key, BEGAN);
            String receipt = attempt.step(charge(key), step -> provider.call(key, step));
            provider.tell(key, CHARGED);
            String label = attempt.step(LABEL, String.class, step -> provider.call(key, step));
            provider.tell(key, LABELLED);
            return receipt + ", " + label;
        }

        private Step<String> charge(String key) {
            return Step.of(CHARGE, String.class)
                    .reconciledBy(step ->
                            provider.find(key, step).map(StepFinding::done).orElseGet(StepFinding::notDone));
        }
    }

    /** A client of the provider. */
    static class Provider {

        private static final int OK = 200;
        private static final int NOT_FOUND = 404;

        private final HttpClient http =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        private final String address;

        Provider(@Value("${e2e.provider}") String address) {
            this.address = address;
        }

        void tell(String key, String what) {
            var unused = answered(send(request(key, what).POST(BodyPublishers.noBody())));
        }

        String call(String key, StepContext step) {
            return answered(send(request(key, step.id()).POST(BodyPublishers.ofString(step.key()))));
        }

        Optional<String> find(String key, StepContext step) {
            HttpResponse<String> found = send(request(key, step.id() + "/" + step.key()));
            return found.statusCode() == NOT_FOUND ? Optional.empty() : Optional.of(answered(found));
        }

        private HttpRequest.Builder request(String key, String path) {
            return HttpRequest.newBuilder(URI.create(address + "/" + key + "/" + path));
        }

        private static String answered(HttpResponse<String> response) {
            if (response.statusCode() != OK) {
                throw new IllegalStateException("The provider answers " + response);
            }
            return response.body();
        }

        private HttpResponse<String> send(HttpRequest.Builder request) {
            try {
                return http.send(request.build(), BodyHandlers.ofString());
            } catch (IOException e) {
                throw new IllegalStateException("No answer from the provider", e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while the provider acts", e);
            }
        }
    }
}
