package io.idem.test.warehouse;

import io.idem.IdempotencyContext;
import io.idem.Idempotent;
import io.idem.consumer.IdempotentListener;
import io.idem.http.internal.servlet.IdempotencyServletFilter;
import io.idem.step.Step;
import io.idem.step.StepFinding;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;

/** Work with one step, in listeners of every kind and behind the filter. */
@SpringBootApplication
@RestController
class Warehouse {

    private static final Step<String> MAIL = Step.of("mail", String.class).rejectedWhenUnknown();

    private final Provider provider;

    Warehouse(Provider provider) {
        this.provider = provider;
    }

    @RabbitListener(queues = "parcels")
    @IdempotentListener(scope = "parcels")
    void parcel(String order, IdempotencyContext attempt) {
        attempt.step("order", Parcel.class, step -> new Parcel(provider.call(step), 3));
        provider.settle();
    }

    @KafkaListener(topics = "labels", groupId = "warehouse")
    @IdempotentListener(scope = "labels")
    void label(String order) {
        IdempotencyContext attempt = IdempotencyContext.current().orElseThrow();
        attempt.step("order", String.class, provider::call);
        provider.settle();
    }

    @RabbitListener(queues = "pickups")
    @IdempotentListener(scope = "pickups")
    CompletableFuture<Void> pickUp(String order, IdempotencyContext attempt) {
        return attempt.stepAsync(
                        Step.of("order", String.class),
                        step -> CompletableFuture.supplyAsync(() -> provider.call(step)))
                .thenAccept(receipt -> provider.settle())
                .toCompletableFuture();
    }

    @RabbitListener(queues = "mails")
    @IdempotentListener(scope = "mails")
    void mail(String order, IdempotencyContext attempt) {
        attempt.step(MAIL, step -> {
            String receipt = provider.call(step);
            provider.settle();
            return receipt;
        });
    }

    @RabbitListener(queues = "lookups")
    @IdempotentListener(scope = "lookups")
    void lookUp(String order, IdempotencyContext attempt) {
        attempt.step(Step.of("order", String.class).reconciledBy(step -> StepFinding.askAgain()), provider::call);
        provider.settle();
    }

    @PostMapping("/parcels")
    @Idempotent
    String parcels(@RequestBody String order, IdempotencyContext attempt) {
        String receipt = attempt.step("order", String.class, provider::call);
        provider.settle();
        return receipt;
    }

    @PostMapping("/mails")
    @Idempotent
    String mails(@RequestBody String order, IdempotencyContext attempt) {
        return attempt.step(MAIL, step -> {
            String receipt = provider.call(step);
            provider.settle();
            return receipt;
        });
    }

    @PostMapping("/lookups")
    @Idempotent
    String lookUps(@RequestBody String order, IdempotencyContext attempt) {
        provider.settle();
        return attempt.step(
                Step.of("order", String.class).reconciledBy(step -> StepFinding.askAgain()), provider::call);
    }

    @Bean
    static MockMvc mvc(WebApplicationContext context, FilterRegistrationBean<IdempotencyServletFilter> filter) {
        return MockMvcBuilders.webAppContextSetup(context)
                .addFilters(Objects.requireNonNull(filter.getFilter()))
                .build();
    }

    record Parcel(String receipt, int pieces) {}
}
