package io.idem.consumer.contract;

import io.idem.consumer.ConsumerSettings;
import java.time.Duration;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Makes an application hand back at once what it cannot record. */
public class NoHold implements BeanPostProcessor, Resettable {

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof ConsumerSettings settings ? settings.withHold(Duration.ZERO) : bean;
    }
}
