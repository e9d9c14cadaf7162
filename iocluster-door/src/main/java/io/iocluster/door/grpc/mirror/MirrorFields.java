package io.iocluster.door.grpc.mirror;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import io.iocluster.v1.Header;
import io.iocluster.v1.Method;
import io.iocluster.v1.Scalar;
import java.util.Locale;

/** How fields of the messages correspond to those of the JSON. Stateless. */
final class MirrorFields {

    private MirrorFields() {}

    /** Returns whether the field is a list of headers, which is an object in JSON. */
    static boolean isHeaders(FieldDescriptor field) {
        return field.isRepeated() && isMessage(field, Header.getDescriptor());
    }

    /** Returns whether the field contains a JSON value that may be text, a number or a boolean. */
    static boolean isScalar(FieldDescriptor field) {
        return isMessage(field, Scalar.getDescriptor());
    }

    /** Returns whether the text of the field is a JSON document, which is a value in JSON. */
    static boolean isDocument(FieldDescriptor field) {
        return field.getName().equals("context");
    }

    /** Returns whether the text of the field may be a number in JSON. */
    static boolean mayBeNumber(FieldDescriptor field) {
        return field.isRepeated() && field.getName().equals("status");
    }

    private static boolean isMessage(FieldDescriptor field, Descriptor type) {
        return field.getJavaType() == JavaType.MESSAGE && field.getMessageType() == type;
    }

    /** Returns the text of a value: {@code OUTCOME_ANSWERED} is {@code answered}. */
    static String text(EnumValueDescriptor value) {
        EnumDescriptor type = value.getType();
        String name = value.getName().substring(prefix(type).length());
        return isUpperCase(type) ? name : name.toLowerCase(Locale.ROOT);
    }

    /** Returns the value with this text; null if there is none. */
    static EnumValueDescriptor value(EnumDescriptor type, String text) {
        String name = isUpperCase(type) ? text : text.toUpperCase(Locale.ROOT);
        EnumValueDescriptor value = type.findValueByName(prefix(type) + name);
        return value == null || value.getNumber() == 0 || !text(value).equals(text) ? null : value;
    }

    private static boolean isUpperCase(EnumDescriptor type) {
        return type == Method.getDescriptor();
    }

    private static String prefix(EnumDescriptor type) {
        return type.getName().toUpperCase(Locale.ROOT) + "_";
    }
}
