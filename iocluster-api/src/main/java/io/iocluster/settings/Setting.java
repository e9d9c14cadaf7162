package io.iocluster.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Documents one component of a settings record: the configuration reference is made from it, and so is the value that
 * holds where the file says nothing. The key is the component's name in kebab case.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {

    /** One or two sentences for the reference page. */
    String doc();

    /** The default, written as it would be in YAML; empty for a nested record and for what has no default. */
    String value() default "";

    /**
     * The path whose value holds where the file says nothing, such as {@code http.timeout}: of a section that the root
     * names earlier. Of a list of sections, the section whose values hold for what an entry does not say.
     */
    String inherits() default "";

    /**
     * Whether a running node takes another value up. Of a section, a list or a map: whether it takes any other value up that is
     * below it.
     */
    boolean live() default false;

    /** Of a section that stands in several places: whom the docs of its keys mean here by {@code {peer}}. */
    String peer() default "";

    /** Whether the value must never be shown. */
    boolean secret() default false;
}
