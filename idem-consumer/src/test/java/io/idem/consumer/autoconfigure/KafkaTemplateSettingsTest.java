package io.idem.consumer.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.contract.ContractConfiguration;
import io.idem.consumer.kafka.publish.PropagatingKafkaTemplate;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.core.KafkaTemplate;

/** Settings of Boot's template that not every supported version of Boot has in its properties. */
class KafkaTemplateSettingsTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(ContractConfiguration.class)
    static class Application {}

    @Test
    void aPropagatingTemplateHasTheSettingsOfBootsOwn() {
        new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withPropertyValues(
                        "spring.kafka.template.allow-non-transactional=true", "spring.kafka.template.close-timeout=17s")
                .run(context -> {
                    KafkaTemplate<?, ?> template = context.getBean(PropagatingKafkaTemplate.class);
                    assertThat(template.isAllowNonTransactional()).isTrue();
                    assertThat(template).extracting("closeTimeout").isEqualTo(Duration.ofSeconds(17));
                });
    }
}
