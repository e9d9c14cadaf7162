package io.iocluster.node.config.binding;

import java.util.ArrayList;

/** Computes the default of each setting, including values that a section inherits. Confined to one traversal. */
final class SettingDefaults {

    private final SettingInheritance inheritance = new SettingInheritance();

    /** Adds a top-level value that later keys may inherit from. */
    void addSection(String name, Object value) {
        inheritance.addSection(name, value);
    }

    /** Returns the value that a key inherits; null if it inherits nothing. */
    InheritedValue inherited(SettingKey key, InheritedValue from) {
        return inheritance.find(key, from);
    }

    /**
     * Returns a section that sets nothing.
     *
     * @param from what the section inherits; may be null
     * @return null if the section has a key that must be set
     */
    Record of(Class<?> section, InheritedValue from) {
        return (Record) binder().bind(section, null, "section", from);
    }

    /**
     * Returns the default of a key that is not a section.
     *
     * @param defaults the section with all its defaults, which also has the values that its constructor computes; may be
     *     null
     * @return null if the key has no valid default
     */
    Object of(SettingKey key, Record defaults, InheritedValue from) {
        return defaults != null ? key.valueIn(defaults) : binder().defaultOf(key, from);
    }

    private SettingsBinder binder() {
        return new SettingsBinder(new ArrayList<>(), inheritance);
    }
}
