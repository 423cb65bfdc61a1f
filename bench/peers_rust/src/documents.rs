//! The structs of typed_documents.h, and what the values in them add up to.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// As sum_of_typed in text_jobs.h.
pub trait Sum {
    fn sum(&self) -> u64;
}

impl Sum for bool {
    fn sum(&self) -> u64 {
        2 - *self as u64
    }
}
impl Sum for f64 {
    fn sum(&self) -> u64 {
        self.to_bits()
    }
}
impl Sum for u64 {
    fn sum(&self) -> u64 {
        (*self as f64).to_bits()
    }
}
impl Sum for u32 {
    fn sum(&self) -> u64 {
        (*self as f64).to_bits()
    }
}
impl Sum for i32 {
    fn sum(&self) -> u64 {
        (*self as f64).to_bits()
    }
}
impl Sum for String {
    fn sum(&self) -> u64 {
        self.len() as u64
    }
}
impl<T: Sum> Sum for Box<T> {
    fn sum(&self) -> u64 {
        (**self).sum()
    }
}
impl<T: Sum> Sum for Option<T> {
    fn sum(&self) -> u64 {
        self.as_ref().map_or(0, Sum::sum)
    }
}
impl<T: Sum> Sum for Vec<T> {
    fn sum(&self) -> u64 {
        self.iter().fold(0, |sum, each| sum.wrapping_add(each.sum()))
    }
}
impl<T: Sum, const N: usize> Sum for [T; N] {
    fn sum(&self) -> u64 {
        self.iter().fold(0, |sum, each| sum.wrapping_add(each.sum()))
    }
}
impl<T: Sum> Sum for BTreeMap<String, T> {
    fn sum(&self) -> u64 {
        self.values().fold(0, |sum, each| sum.wrapping_add(each.sum()))
    }
}

/// A struct whose empty members are left out when it is written.
macro_rules! document {
    ($case:literal $name:ident { $($member:ident: $type:ty),* $(,)? }) => {
        #[derive(Deserialize, Serialize)]
        #[serde(rename_all = $case)]
        pub struct $name {
            $(
                #[serde(skip_serializing_if = "Present::is_absent")]
                $member: $type,
            )*
        }
        impl Sum for $name {
            fn sum(&self) -> u64 {
                0u64 $(.wrapping_add(self.$member.sum()))*
            }
        }
        impl Present for $name {}
    };
}

/// Whether a member is there at all.
trait Present {
    fn is_absent(&self) -> bool {
        false
    }
}
impl Present for bool {}
impl Present for f64 {}
impl Present for u64 {}
impl Present for u32 {}
impl Present for i32 {}
impl Present for String {}
impl<T> Present for Vec<T> {}
impl<T> Present for BTreeMap<String, T> {}
impl<T> Present for Option<T> {
    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

document!("snake_case" Metadata {
    result_type: String,
    iso_language_code: String,
});

document!("snake_case" Hashtag {
    text: String,
    indices: Vec<u32>,
});

document!("snake_case" Url {
    url: String,
    expanded_url: String,
    display_url: String,
    indices: Vec<u32>,
});

document!("snake_case" Mention {
    screen_name: String,
    name: String,
    id: u64,
    id_str: String,
    indices: Vec<u32>,
});

document!("snake_case" Size {
    w: u32,
    h: u32,
    resize: String,
});

document!("snake_case" Sizes {
    medium: Size,
    small: Size,
    thumb: Size,
    large: Size,
});

document!("snake_case" Media {
    id: u64,
    id_str: String,
    indices: Vec<u32>,
    media_url: String,
    media_url_https: String,
    url: String,
    display_url: String,
    expanded_url: String,
    r#type: String,
    sizes: Sizes,
    source_status_id: Option<u64>,
    source_status_id_str: Option<String>,
});

document!("snake_case" Entities {
    hashtags: Vec<Hashtag>,
    symbols: Vec<String>,
    urls: Vec<Url>,
    user_mentions: Vec<Mention>,
    media: Option<Vec<Media>>,
});

document!("snake_case" UrlList {
    urls: Vec<Url>,
});

document!("snake_case" UserEntities {
    url: Option<UrlList>,
    description: UrlList,
});

document!("snake_case" User {
    id: u64,
    id_str: String,
    name: String,
    screen_name: String,
    location: String,
    description: String,
    url: Option<String>,
    entities: UserEntities,
    protected: bool,
    followers_count: u32,
    friends_count: u32,
    listed_count: u32,
    created_at: String,
    favourites_count: u32,
    utc_offset: Option<i32>,
    time_zone: Option<String>,
    geo_enabled: bool,
    verified: bool,
    statuses_count: u32,
    lang: String,
    contributors_enabled: bool,
    is_translator: bool,
    is_translation_enabled: bool,
    profile_background_color: String,
    profile_background_image_url: String,
    profile_background_image_url_https: String,
    profile_background_tile: bool,
    profile_image_url: String,
    profile_image_url_https: String,
    profile_banner_url: Option<String>,
    profile_link_color: String,
    profile_sidebar_border_color: String,
    profile_sidebar_fill_color: String,
    profile_text_color: String,
    profile_use_background_image: bool,
    default_profile: bool,
    default_profile_image: bool,
    following: bool,
    follow_request_sent: bool,
    notifications: bool,
});

document!("snake_case" Status {
    metadata: Metadata,
    created_at: String,
    id: u64,
    id_str: String,
    text: String,
    source: String,
    truncated: bool,
    in_reply_to_status_id: Option<u64>,
    in_reply_to_status_id_str: Option<String>,
    in_reply_to_user_id: Option<u64>,
    in_reply_to_user_id_str: Option<String>,
    in_reply_to_screen_name: Option<String>,
    user: User,
    geo: Option<String>,
    coordinates: Option<String>,
    place: Option<String>,
    contributors: Option<String>,
    retweeted_status: Option<Box<Status>>,
    retweet_count: u32,
    favorite_count: u32,
    entities: Entities,
    favorited: bool,
    retweeted: bool,
    possibly_sensitive: Option<bool>,
    lang: String,
});

document!("snake_case" SearchMetadata {
    completed_in: f64,
    max_id: u64,
    max_id_str: String,
    next_results: String,
    query: String,
    refresh_url: String,
    count: u32,
    since_id: u64,
    since_id_str: String,
});

document!("snake_case" Timeline {
    statuses: Vec<Status>,
    search_metadata: SearchMetadata,
});

document!("snake_case" BriefUser {
    screen_name: String,
    followers_count: u64,
});

document!("snake_case" BriefStatus {
    id: u64,
    text: String,
    user: BriefUser,
    retweet_count: u64,
});

document!("snake_case" BriefTimeline {
    statuses: Vec<BriefStatus>,
});

document!("camelCase" Event {
    description: Option<String>,
    id: u64,
    logo: Option<String>,
    name: String,
    sub_topic_ids: Vec<u64>,
    subject_code: Option<String>,
    subtitle: Option<String>,
    topic_ids: Vec<u64>,
});

document!("camelCase" Price {
    amount: u32,
    audience_sub_category_id: u64,
    seat_category_id: u64,
});

document!("camelCase" Area {
    area_id: u64,
    block_ids: Vec<u64>,
});

document!("camelCase" SeatCategory {
    areas: Vec<Area>,
    seat_category_id: u64,
});

document!("camelCase" Performance {
    event_id: u64,
    id: u64,
    logo: Option<String>,
    name: Option<String>,
    prices: Vec<Price>,
    seat_categories: Vec<SeatCategory>,
    seat_map_image: Option<String>,
    start: u64,
    venue_code: String,
});

document!("camelCase" Catalog {
    area_names: BTreeMap<String, String>,
    audience_sub_category_names: BTreeMap<String, String>,
    block_names: BTreeMap<String, String>,
    events: BTreeMap<String, Event>,
    performances: Vec<Performance>,
    seat_category_names: BTreeMap<String, String>,
    sub_topic_names: BTreeMap<String, String>,
    subject_names: BTreeMap<String, String>,
    topic_names: BTreeMap<String, String>,
    topic_sub_topics: BTreeMap<String, Vec<u64>>,
    venue_names: BTreeMap<String, String>,
});

document!("snake_case" Geometry {
    r#type: String,
    coordinates: Vec<Vec<[f64; 2]>>,
});

document!("snake_case" Feature {
    r#type: String,
    properties: BTreeMap<String, String>,
    geometry: Geometry,
});

document!("snake_case" Collection {
    r#type: String,
    features: Vec<Feature>,
});
