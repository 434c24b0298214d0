package io.idem.consumer.contract;

import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/** The beans of an application that stop before its context closes. */
public record StoppingBeans(ConfigurableListableBeanFactory beans) {

    /**
     * Returns those of idem that depend on another one. Spring stops them with it and counts each as one that its phase awaits: the
     * context closes while listeners still work.
     */
    public List<String> ofIdemThatDependOnOthers() {
        return Stream.of(beans.getBeanNamesForType(SmartLifecycle.class))
                .flatMap(name -> Stream.of(beans.getDependentBeans(name)))
                .filter(dependent -> beans.isTypeMatch(dependent, SmartLifecycle.class))
                .filter(dependent -> String.valueOf(beans.getType(dependent)).contains("io.idem"))
                .toList();
    }
}
