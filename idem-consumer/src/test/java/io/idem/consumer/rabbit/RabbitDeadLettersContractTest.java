package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static io.idem.consumer.contract.ConsumerApplication.RECEIPTS;
import static org.awaitility.Awaitility.await;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.DeadLetterHarness;
import io.idem.consumer.contract.DeadLetterSourceContract;
import io.idem.consumer.contract.ReceivedMessage;
import io.idem.consumer.contract.Resettable;
import io.idem.consumer.contract.SharedApplications;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.rabbit.container.RabbitTenants;
import io.idem.consumer.internal.rabbit.message.RabbitConnections;
import io.idem.consumer.rabbit.deadletter.RabbitDeadLetterSource;
import io.idem.spi.DeadLetterSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;

@Tag("servers")
class RabbitDeadLettersContractTest extends DeadLetterSourceContract {

    @RegisterExtension
    static final SharedApplications<RabbitApplication> APPLICATIONS = RabbitApplication.shared();

    @Override
    protected DeadLetterHarness open() {
        return new Harness();
    }

    static class Payments implements Resettable {

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        void pay(String body) {}
    }

    /** Letters in one queue that come from another one, which has no listener. */
    private static final class Harness implements DeadLetterHarness {

        private static final String LETTERS = "settled";

        private final RabbitApplication application = RabbitApplication.start(APPLICATIONS, List.of(Payments.class));
        private final CachingConnectionFactory nobody = Brokers.unreachable();

        @Override
        public DeadLetterSource source() {
            return application.bean(RabbitDeadLetterSource.class);
        }

        @Override
        public DeadLetterSource unreachable() {
            return new RabbitDeadLetterSource(
                    new RabbitConnections(Brokers.beans(nobody)),
                    application.bean(RabbitTenants.class),
                    () -> application.bean(IdempotentListeners.class),
                    Duration.ofSeconds(30));
        }

        @Override
        public String letters() {
            return application.name() + "." + LETTERS;
        }

        @Override
        public String origin() {
            return application.name() + "." + RECEIPTS;
        }

        @Override
        public String nowhere() {
            return application.name() + ".gone";
        }

        @Override
        public boolean takesAway() {
            return true;
        }

        @Override
        public void put(String body, Map<String, String> headers) {
            MessageBuilder letter = MessageBuilder.withBody(body.getBytes(StandardCharsets.UTF_8));
            headers.forEach(letter::setHeader);
            long before = application.ready(LETTERS);
            application.template().send("", letters(), letter.build());
            await().until(() -> application.ready(LETTERS) == before + 1);
        }

        @Override
        public List<ReceivedMessage> moved() {
            return Brokers.drain(application.template(), origin());
        }

        @Override
        public List<String> left(int expected) {
            List<String> bodies = new ArrayList<>();
            // A broker may count a letter as ready a moment before it gives it out again.
            await().until(() -> {
                Brokers.drain(application.template(), letters()).forEach(letter -> bodies.add(letter.body()));
                return bodies.size() >= expected && application.ready(LETTERS) == 0;
            });
            return bodies;
        }

        @Override
        public void close() {
            nobody.destroy();
            application.close();
        }
    }
}
