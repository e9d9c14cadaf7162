package io.iocluster.status;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a component of a status record a field of its JSON. The OpenAPI documents are generated from it too. Components without it stay
 * internal. A method without parameters that has the annotation becomes a field after the components. If the keys of an inline map are an
 * enum, its constants have the annotation.
 *
 * <p>It is not one of Jackson's annotations, because each client would depend on them and they state no range.
 *
 * <p>Durations are written in milliseconds, times as in ISO 8601, and constants of enums in lower case with hyphens.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.FIELD})
public @interface StatusField {

    /** What the value means; empty if the name says it. */
    String doc() default "";

    /** The name in JSON; empty for the name of the component or method. */
    String name() default "";

    /** Whether the value may be null. An empty {@code Optional} that is not nullable is left out. */
    boolean nullable() default false;

    /** Whether the fields of the value replace this one. The value is a record, or a map whose keys are an enum. */
    boolean inline() default false;

    /** Number of decimals of a fraction; -1 for all. */
    int decimals() default -1;

    /** The smallest number; negative infinity for none. */
    double min() default 0;

    /** The largest number; infinity for none. */
    double max() default Double.POSITIVE_INFINITY;

    /** All values of a text; empty if there are others. */
    String[] values() default {};

    /** The regular expression that a text matches; empty for none. */
    String pattern() default "";
}
