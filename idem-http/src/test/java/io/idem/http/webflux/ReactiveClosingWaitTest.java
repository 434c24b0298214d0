package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.ClosingWaitContract;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.client.ReactorResourceFactory;

class ReactiveClosingWaitTest extends ClosingWaitContract {

    @Override
    protected App start() {
        return App.start(
                WebApplicationType.REACTIVE,
                OnItsOwnThreads.class,
                "idem.http.tenant=SINGLE",
                "idem.http.routes[0].path=/patient/**",
                "idem.http.routes[0].wait-for=20s");
    }

    /** Closing it does not end the threads that other applications of this JVM share. */
    @Import(ReactiveWaitTest.Patient.class)
    static class OnItsOwnThreads {

        @Bean
        ReactorResourceFactory resources() {
            ReactorResourceFactory resources = new ReactorResourceFactory();
            resources.setUseGlobalResources(false);
            return resources;
        }
    }
}
