package io.iocluster.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Documents one component of a settings record. The configuration reference is generated from it, and the binder takes
 * the default from it. The key is the component's name in kebab case.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {

    /** The description for the reference page: one or two sentences. */
    String doc();

    /** The default, in YAML; empty for a nested record and for a setting without a default. */
    String value() default "";

    /**
     * The path of the setting whose value is the default, such as {@code http.timeout}. Its section must come earlier
     * in the root record. For a list of sections: the section whose values are the defaults of each entry.
     */
    String inherits() default "";

    /**
     * Whether a running node applies a changed value without a restart. For a section, a list or a map: whether it
     * applies every change below it.
     */
    boolean live() default false;

    /** For a section that is used in several places: the text that replaces {@code {peer}} in the docs of its keys. */
    String peer() default "";

    /** Whether the value must never be shown. */
    boolean secret() default false;
}
