package io.idem.autoconfigure;

import io.idem.engine.IdempotentExecutor;
import io.idem.result.ResultStorage;
import io.idem.spi.OutgoingTransport;
import java.util.List;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Lets executors finish the work they wait for before the engine, the store and its data source are closed. The bean factory
 * does not know of these dependencies, and executors are often the first beans it makes.
 */
record ClosingOrder(ConfigurableListableBeanFactory beans) implements SmartInitializingSingleton {

    @Override
    public void afterSingletonsInstantiated() {
        for (String engine : names(IdempotentExecutor.class)) {
            names(Executor.class).forEach(executor -> beans.registerDependentBean(engine, executor));
            for (Class<?> used : List.of(DataSource.class, OutgoingTransport.class, ResultStorage.class)) {
                // Beans that the engine uses are made. One that is not, and cannot be made later, would take the engine
                // along.
                names(used).stream()
                        .filter(beans::containsSingleton)
                        .forEach(name -> beans.registerDependentBean(name, engine));
            }
        }
    }

    private List<String> names(Class<?> type) {
        return List.of(beans.getBeanNamesForType(type, true, false));
    }
}
