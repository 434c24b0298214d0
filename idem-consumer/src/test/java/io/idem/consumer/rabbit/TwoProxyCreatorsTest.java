package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.annotation.Transactional;

/** An application with a proxy creator of its own beside the one of Spring Boot. */
class TwoProxyCreatorsTest extends RabbitScenario {

    @Test
    void everyKeyRunsOnce() {
        launch(TwoCreators.class);

        for (String key : new String[] {"k1", "k2", "k1", "k2"}) {
            send(key, "for " + key);
        }

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 4);
        assertThat(script().bodies(PAYMENTS)).containsExactlyInAnyOrder("for k1", "for k2");
        assertThat(log().count(EventLog.COMPLETE)).isEqualTo(2);
    }

    @Configuration(proxyBeanMethods = false)
    @Import(TwoCreators.Listener.class)
    static class TwoCreators {

        @Bean
        static DefaultAdvisorAutoProxyCreator secondCreator() {
            DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
            creator.setProxyTargetClass(true);
            return creator;
        }

        static class Listener {

            private final ListenerScript script;

            Listener(ListenerScript script) {
                this.script = script;
            }

            @RabbitListener(queues = "${test.name}.payments")
            @IdempotentListener(scope = PAYMENTS)
            @Transactional
            void pay(String body, IdempotencyContext context) throws Exception {
                script.run(PAYMENTS, body, context);
            }
        }
    }
}
