package io.idem.http.servlet;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.DescribedOrders;
import io.idem.http.contract.DescribedRoutesContract;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

@AppTest(
        value = DescribedRoutesTest.Described.class,
        type = WebApplicationType.SERVLET,
        settings = {
            "springdoc.api-docs.enabled=true",
            "idem.http.tenant=SINGLE",
            "idem.http.min-key-length=16",
            "idem.http.routes[0].path=/orders",
            "idem.http.routes[1].path=/webhooks",
            "idem.http.routes[1].key.preset=github",
            "idem.http.routes[1].signing-secrets=secret",
            "idem.http.routes[2].path=/renamed/{order:[a-z0-9-]+}/pay"
        })
class DescribedRoutesTest extends DescribedRoutesContract {

    DescribedRoutesTest(App app) {
        super(app);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({DescribedOrders.class, DescribedOrders.Document.class, Shop.Open.class, Shop.Parts.class})
    static class Described {}
}
