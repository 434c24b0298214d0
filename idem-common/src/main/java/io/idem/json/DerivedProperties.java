package io.idem.json;

import io.idem.internal.UntypedValues;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.ser.BeanPropertyWriter;
import tools.jackson.databind.ser.ValueSerializerModifier;

/**
 * Writes {@link UntypedValues#DERIVED} for properties that a type derives from others or from the time: getters without a
 * field, setter or creator parameter. A type with a field that is no property has none, and one without fields, as Jackson sees
 * the JDK's, neither: its getters may show what it is.
 */
final class DerivedProperties extends ValueSerializerModifier {

    private static final long serialVersionUID = 1L;

    @Override
    public List<BeanPropertyWriter> changeProperties(
            SerializationConfig config, BeanDescription.Supplier bean, List<BeanPropertyWriter> writers) {
        List<BeanPropertyDefinition> properties = bean.get().findProperties();
        long shown =
                properties.stream().filter(BeanPropertyDefinition::hasField).count();
        properties.stream()
                .filter(property ->
                        shown > 0 && shown == bean.getClassInfo().getFieldCount() && !property.couldDeserialize())
                .forEach(derived -> writers.replaceAll(
                        writer -> writer.getName().equals(derived.getName()) ? unread(writer) : writer));
        return writers;
    }

    private static BeanPropertyWriter unread(BeanPropertyWriter derived) {
        return new BeanPropertyWriter(derived) {
            @Override
            public void serializeAsProperty(Object bean, JsonGenerator to, SerializationContext context) {
                to.writeStringProperty(getName(), UntypedValues.DERIVED);
            }
        };
    }
}
