package io.idem.http.webflux;

import com.example.shop.ReactiveGuards;
import io.idem.http.contract.LaterFiltersContract;
import java.util.List;
import org.springframework.boot.WebApplicationType;

class ReactiveLaterFiltersTest extends LaterFiltersContract {

    ReactiveLaterFiltersTest() {
        super(WebApplicationType.REACTIVE, ReactiveGuards.Unordered.class, ReactiveGuards.InFront.class);
    }

    @Override
    protected List<Object[]> behind() {
        return List.of(
                new Object[] {ReactiveGuards.Unordered.class, "unordered"},
                new Object[] {ReactiveGuards.Lambda.class, "lambda"},
                new Object[] {ReactiveGuards.Customizer.class, ReactiveGuards.Guard.class.getName()});
    }

    @Override
    protected List<Object[]> furtherBehind() {
        return List.of(
                new Object[] {ReactiveGuards.Unordered.class, ReactiveGuards.Guard.class.getName()},
                new Object[] {ReactiveGuards.Anonymous.class, "anonymous"});
    }

    @Override
    protected List<Class<?>> harmless() {
        return List.of(ReactiveGuards.Cors.class);
    }

    @Override
    protected List<Object[]> securityBehind() {
        return List.<Object[]>of(new Object[] {ReactiveGuards.SecurityBehind.class, "server.error.path=/error"});
    }
}
