package io.idem.autoconfigure;

import java.util.Arrays;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** The beans that have been created. An inbox that is not used may have no table, and must not be created to look at it. */
record CreatedBeans(ConfigurableListableBeanFactory beans) {

    <T> Stream<T> of(Class<T> type) {
        return Arrays.stream(beans.getBeanNamesForType(type, false, false))
                .filter(beans::containsSingleton)
                .map(name -> beans.getBean(name, type));
    }
}
