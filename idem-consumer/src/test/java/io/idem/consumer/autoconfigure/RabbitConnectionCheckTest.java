package io.idem.consumer.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.contract.ContractConfiguration;
import io.idem.consumer.internal.guard.LibraryVersion;
import io.idem.servers.spring.RabbitOfBoot;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbitmq.client.AmqpConnectionFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.util.ClassUtils;

/** An application with spring-rabbit that has added no starter of Spring Boot for RabbitMQ, or not that of its version. */
class RabbitConnectionCheckTest {

    /** Has the auto-configurations of idem and none of Boot's for RabbitMQ. */
    private final ApplicationContextRunner withoutStarter = new ApplicationContextRunner()
            .withClassLoader(new FilteredClassLoader(
                    ClassUtils.getPackageName(RabbitOfBoot.AUTO_CONFIGURATION),
                    ClassUtils.getPackageName(RabbitOfBoot.EARLIER_AUTO_CONFIGURATION)))
            .withConfiguration(AutoConfigurations.of(
                    idem("Idem"),
                    idem("IdemJson"),
                    idem("IdemResult"),
                    IdemConsumerAutoConfiguration.class,
                    IdemRabbitAutoConfiguration.class))
            .withUserConfiguration(ContractConfiguration.class);

    private static Class<?> idem(String name) {
        return ClassUtils.resolveClassName("io.idem.autoconfigure." + name + "AutoConfiguration", null);
    }

    @Test
    void theStartIsRefusedAndTheStarterNamed() {
        withoutStarter.run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure())
                    .isInstanceOfSatisfying(ListenerConfigurationException.class, refusal -> {
                        assertThat(refusal.problem()).contains("spring-rabbit", "no ConnectionFactory");
                        assertThat(refusal.action()).contains("starter of RabbitMQ on Spring Boot 4.");
                    });
        });
    }

    @ParameterizedTest
    @CsvSource({
        "4.1.2, Add spring-boot-starter-amqp",
        "4.2.0, Add spring-boot-starter-rabbitmq",
        "4.2.0, spring-boot-starter-amqp is not",
        "5.0.0-M1, Add spring-boot-starter-rabbitmq"
    })
    void theStarterIsThatOfTheVersionThatRuns(String version, String words) {
        assertThat(RabbitConnectionCheck.remedy(new LibraryVersion(version))).contains(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {RabbitOfBoot.AUTO_CONFIGURATION, RabbitOfBoot.EARLIER_AUTO_CONFIGURATION})
    void anApplicationThatExcludesRabbitMqStarts(String excluded) {
        withoutStarter
                .withInitializer(context ->
                        ConditionEvaluationReport.get(context.getBeanFactory()).recordExclusions(List.of(excluded)))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aConnectionOfTheApplicationsOwnIsEnough() {
        withoutStarter
                .withBean(CachingConnectionFactory.class)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(RabbitTemplate.class));
    }

    @Test
    void aConnectionOfAmqpOneIsEnough() {
        withoutStarter
                .withBean("amqpOne", AmqpConnectionFactory.class, () -> () -> {
                    throw new UnsupportedOperationException("nobody connects");
                })
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aConnectionOfAParentIsEnough() {
        try (AnnotationConfigApplicationContext parent = new AnnotationConfigApplicationContext()) {
            parent.registerBean(CachingConnectionFactory.class);
            parent.refresh();

            withoutStarter.withParent(parent).run(context -> assertThat(context).hasNotFailed());
        }
    }
}
