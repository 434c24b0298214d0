package io.idem.benchmarks.listener;

import io.idem.benchmarks.Exclusions;
import io.idem.benchmarks.Suite;
import io.idem.benchmarks.report.Figures;
import io.idem.consumer.IdempotentListener;
import io.idem.memory.InMemoryIdempotencyStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.annotation.KafkaListener;

/**
 * The start of an application with ten listeners, with and without the proof that their messages come to idem. Their
 * containers do not start, so neither broker is called.
 */
public final class StartSuite implements Suite {

    private static final int SECONDS = 15;
    private static final int STARTS = 10;
    private static final double NANOS_PER_MILLISECOND = 1e6;

    @Override
    public String name() {
        return "start";
    }

    @Override
    public int seconds() {
        return SECONDS;
    }

    @Override
    public int enoughRounds() {
        return EVERY_ROUND;
    }

    @Override
    public void round(Figures figures, Random order) {
        start(true);
        List<Boolean> starts = new ArrayList<>(Collections.nCopies(STARTS, true));
        starts.addAll(Collections.nCopies(STARTS, false));
        Collections.shuffle(starts, order);
        double[] milliseconds = new double[2];
        starts.forEach(proved -> milliseconds[proved ? 1 : 0] += start(proved) / STARTS);
        figures.add("start of ten listeners: proved", "ms", milliseconds[1]);
        figures.add("start of ten listeners: not proved", "ms", milliseconds[0]);
    }

    private static double start(boolean proved) {
        long begun = System.nanoTime();
        new SpringApplicationBuilder(Application.class, Listeners.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "idem.proof=" + proved,
                        Exclusions.SETTING + "=" + Exclusions.of(Exclusions.DATA_SOURCE, Exclusions.MODULITH),
                        "spring.rabbitmq.listener.simple.auto-startup=false",
                        "spring.kafka.listener.auto-startup=false",
                        "spring.main.banner-mode=off",
                        "logging.level.root=warn")
                .run()
                .close();
        return (System.nanoTime() - begun) / NANOS_PER_MILLISECOND;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        InMemoryIdempotencyStore store() {
            return new InMemoryIdempotencyStore();
        }
    }

    static class Listeners {

        @RabbitListener(queues = "q1")
        @IdempotentListener(scope = "r1")
        void one(String body) {}

        @RabbitListener(queues = "q2")
        @IdempotentListener(scope = "r2")
        void two(String body) {}

        @RabbitListener(queues = "q3")
        @IdempotentListener(scope = "r3")
        void three(String body) {}

        @RabbitListener(queues = "q4")
        @IdempotentListener(scope = "r4")
        void four(String body) {}

        @RabbitListener(queues = "q5")
        @IdempotentListener(scope = "r5")
        void five(String body) {}

        @KafkaListener(id = "k1", topics = "t1")
        @IdempotentListener(scope = "k1")
        void six(String body) {}

        @KafkaListener(id = "k2", topics = "t2")
        @IdempotentListener(scope = "k2")
        void seven(String body) {}

        @KafkaListener(id = "k3", topics = "t3")
        @IdempotentListener(scope = "k3")
        void eight(String body) {}

        @KafkaListener(id = "k4", topics = "t4")
        @IdempotentListener(scope = "k4")
        void nine(String body) {}

        @KafkaListener(id = "k5", topics = "t5")
        @IdempotentListener(scope = "k5")
        void ten(String body) {}
    }
}
